import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import { optionalQuery } from '#shared/fields.ts'

/** What an agent did in the field in 30 days. */
const fieldWork = z
  .object({
    agent: z.object({ id: z.int(), name: z.string() }),
    /** A market on a day. */
    visits: z.int(),
    markets: z.int(),
    /** Planned visits whose day has come, and those that he did. */
    planned: z.int(),
    plannedDone: z.int(),
    /** Of a visit: its goods, priced or absent, and from the first to the last of them; null without a visit. */
    goodsPerVisit: z.number().nullable(),
    minutesPerVisit: z.number().nullable(),
    /** Of his prices, those that a supervisor gave back, from 0 to 1; null without a price. */
    returnedShare: z.number().nullable(),
    /** Of his prices, those that he found unchanged. */
    unchangedShare: z.number().nullable(),
    /** The same of what others found in the same markets; null where nobody else was. */
    othersUnchangedShare: z.number().nullable(),
    /** The local day of his last visit, however long ago. */
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
