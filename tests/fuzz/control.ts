import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { acknowledgement, problem } from '#shared/contract.ts'

/** Operation that `addFaultyRoute` adds. */
export const faultyOperation = 'POST /api/notes'

/** Adds a route that fails at one character, to prove that the fuzzer finds failures. */
export function addFaultyRoute(http: FastifyInstance): void {
  http.post<{ Body: { note: string } }>(
    '/api/notes',
    {
      config: { right: 'public' },
      schema: {
        body: z.object({ note: z.string() }),
        response: { 200: acknowledgement, '4xx': problem, '5xx': problem },
      },
    },
    async ({ body }) => {
      if (body.note === '\u0000') throw new Error('one character too many')
      return { message: 'Note enregistrée' }
    },
  )
}
