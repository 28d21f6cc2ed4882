import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import { optionalQuery } from '#shared/fields.ts'

/** The field work of an agent in 30 days. */
const fieldWork = z
  .object({
    agent: z.object({ id: z.int(), name: z.string() }),
    /** Number of visits; a visit is a market on a day. */
    visits: z.int(),
    markets: z.int(),
    /** Planned visits whose day has come, and how many of them were made. */
    planned: z.int(),
    plannedDone: z.int(),
    /** Average per visit: goods priced or absent, and minutes from the first to the last; null without a visit. */
    goodsPerVisit: z.number().nullable(),
    minutesPerVisit: z.number().nullable(),
    /** Share of the agent's prices that a supervisor returned, from 0 to 1; null without a price. */
    returnedShare: z.number().nullable(),
    /** Share of the agent's prices entered as unchanged, from 0 to 1. */
    unchangedShare: z.number().nullable(),
    /** The same share for other agents in the same markets; null where there were none. */
    othersUnchangedShare: z.number().nullable(),
    /** Local day of the agent's last visit, however long ago. */
    lastVisitOn: z.string().nullable(),
  })
  .meta({ id: 'FieldWork' })
export type FieldWork = z.infer<typeof fieldWork>

export const listWork = defineEndpoint({
  method: 'GET',
  path: '/api/collection/work',
  right: ['collection.read', 'prices.collect'],
  summary: 'Le travail de terrain en 30 jours',
  description:
    'Une ligne par agent qui a des marchés ou des visites, 200 au plus, le plus longtemps silencieux d’abord\u202f; un agent ne voit que la sienne.',
  query: z.object({ mine: optionalQuery(z.enum(['true'], 'true est attendu')) }),
  response: z.object({ data: z.array(fieldWork) }),
})
