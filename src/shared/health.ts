import { z } from 'zod'
import { healthAddress } from '#shared/addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'

export const health = defineEndpoint({
  ...healthAddress,
  right: 'public',
  summary: 'État du service',
  response: z.object({
    /** Degraded while a background job has failed three times in a row or more. */
    status: z.enum(['ok', 'degraded']),
    failingJobs: z.array(z.string()),
    /** Whether the figures shown are made up: every screen then says so. */
    demonstration: z.boolean(),
  }),
})
