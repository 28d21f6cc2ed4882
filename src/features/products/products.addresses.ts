import { resourceAddresses } from '#shared/addresses.ts'

/** Names and addresses of products in the API. */
export const productAddresses = {
  name: 'products',
  listed: 'products',
  ...resourceAddresses('products'),
} as const
