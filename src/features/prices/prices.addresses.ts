import { resourceAddresses } from '#shared/addresses.ts'

/** Addresses of the endpoints about prices, used by the contracts and by pages that need no schema. */
export const priceAddresses = {
  ...resourceAddresses('prices'),
  collectors: { method: 'GET', path: '/api/prices/collectors' },
  check: { method: 'GET', path: '/api/prices/check' },
  live: { method: 'GET', path: '/api/prices/live' },
  latestOfProduct: { method: 'GET', path: '/api/products/{id}/latest-prices' },
  latestInMarket: { method: 'GET', path: '/api/markets/{id}/latest-prices' },
  photos: { method: 'GET', path: '/api/prices/{id}/photos' },
  collectorsInMarket: { method: 'GET', path: '/api/markets/{id}/collectors' },
} as const
