import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'

export const health = defineEndpoint({
  method: 'GET',
  path: '/api/health',
  right: 'public',
  summary: 'État du service',
  response: z.object({
    status: z.literal('ok'),
    /** Whether the prices shown are made up: every screen then says so. */
    demonstration: z.boolean(),
  }),
})
