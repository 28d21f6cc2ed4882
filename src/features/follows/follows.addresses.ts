/** Addresses of the endpoints of a user's follows, and of the series with the largest changes. */
export const followAddresses = {
  list: { method: 'GET', path: '/api/follows' },
  create: { method: 'POST', path: '/api/follows' },
  remove: { method: 'DELETE', path: '/api/follows/{id}' },
  movers: { method: 'GET', path: '/api/prices/movers' },
} as const
