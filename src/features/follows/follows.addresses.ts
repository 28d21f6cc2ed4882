/** Where one's own follows are, and the series that moved most. */
export const followAddresses = {
  list: { method: 'GET', path: '/api/follows' },
  create: { method: 'POST', path: '/api/follows' },
  remove: { method: 'DELETE', path: '/api/follows/{id}' },
  movers: { method: 'GET', path: '/api/prices/movers' },
} as const
