import { resourceAddresses } from '#shared/addresses.ts'

/** Names and addresses of markets in the API. */
export const marketAddresses = {
  name: 'markets',
  listed: 'data',
  ...resourceAddresses('markets'),
} as const
