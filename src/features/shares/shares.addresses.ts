/** Addresses of the endpoints of a user's shared pages. */
export const shareAddresses = {
  list: { method: 'GET', path: '/api/shares' },
  create: { method: 'POST', path: '/api/shares' },
  remove: { method: 'DELETE', path: '/api/shares/{id}' },
} as const
