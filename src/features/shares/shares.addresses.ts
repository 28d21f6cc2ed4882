/** Where one's own shared pages are. */
export const shareAddresses = {
  list: { method: 'GET', path: '/api/shares' },
  create: { method: 'POST', path: '/api/shares' },
  remove: { method: 'DELETE', path: '/api/shares/{id}' },
} as const
