/** Where doubtful prices are listed and decided. */
export const reviewAddresses = {
  list: { method: 'GET', path: '/api/reviews' },
  decide: { method: 'POST', path: '/api/reviews/{priceId}' },
} as const
