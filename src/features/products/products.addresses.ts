import { resourceAddresses } from '#shared/addresses.ts'

/** What products are called in addresses and in answers, and where they are. */
export const productAddresses = {
  name: 'products',
  listed: 'products',
  ...resourceAddresses('products'),
} as const
