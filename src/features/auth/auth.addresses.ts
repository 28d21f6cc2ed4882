/** Addresses of signing in and out, used by contracts, visitors' forms and the program that runs before any page. */
export const authAddresses = {
  login: { method: 'POST', path: '/api/auth/login' },
  refresh: { method: 'POST', path: '/api/auth/refresh' },
  logout: { method: 'POST', path: '/api/auth/logout' },
  register: { method: 'POST', path: '/api/auth/register' },
  verifyEmail: { method: 'POST', path: '/api/auth/verify-email' },
  resendVerification: { method: 'POST', path: '/api/auth/resend-verification' },
  forgotPassword: { method: 'POST', path: '/api/auth/forgot-password' },
  resetPassword: { method: 'POST', path: '/api/auth/reset-password' },
  googleInitiate: { method: 'GET', path: '/api/auth/google/initiate' },
  googleCallback: { method: 'GET', path: '/api/auth/google/callback' },
} as const
