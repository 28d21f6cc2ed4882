/** Addresses of the queue of doubtful prices and of its decisions. */
export const reviewAddresses = {
  list: { method: 'GET', path: '/api/reviews' },
  decide: { method: 'POST', path: '/api/reviews/{priceId}' },
} as const
