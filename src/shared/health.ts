import { z } from 'zod'
import { healthAddress } from '#shared/addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'

export const health = defineEndpoint({
  ...healthAddress,
  right: 'public',
  summary: 'État du service',
  response: z.object({
    status: z.literal('ok'),
    /** Whether the figures shown are made up: every screen then says so. */
    demonstration: z.boolean(),
  }),
})
