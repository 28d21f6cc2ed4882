import { resourceAddresses } from '#shared/addresses.ts'

/** What markets are called in addresses and in answers, and where they are. */
export const marketAddresses = {
  name: 'markets',
  listed: 'data',
  ...resourceAddresses('markets'),
} as const
