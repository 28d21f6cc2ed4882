/** Where one signs in and out; the contract takes them from here, as does the program before any page. */
export const authAddresses = {
  login: { method: 'POST', path: '/api/auth/login' },
  refresh: { method: 'POST', path: '/api/auth/refresh' },
  logout: { method: 'POST', path: '/api/auth/logout' },
} as const
