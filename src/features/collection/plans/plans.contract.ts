import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { dayInput, idFilter, idParams, optionalQuery, reference } from '#shared/fields.ts'

const named = z.object({ id: z.int(), name: z.string() })

/** A visit planned by a supervisor: on a date, or each week on a weekday. */
const plannedVisit = z
  .object({
    id: z.int(),
    agent: named,
    market: named.extend({ location: z.string() }),
    day: z.string().nullable(),
    /** 1 is Monday; null for a visit on a date. */
    weekday: z.int().nullable(),
    /** The day in this week, in the next one if it was planned after that day, or the planned date. */
    dueOn: z.string(),
    /** Whether the agent came: on that date, or in that week for a weekly visit. */
    isDone: z.boolean(),
  })
  .meta({ id: 'PlannedVisit' })
export type PlannedVisit = z.infer<typeof plannedVisit>

const plannedVisitBody = z
  .object({
    agentId: reference('Choisissez un agent'),
    marketId: reference('Choisissez un marché'),
    day: dayInput.nullish(),
    weekday: z.coerce
      .number()
      .int('Un jour de 1 à 7 est attendu')
      .min(1, 'Un jour de 1 à 7 est attendu')
      .max(7, 'Un jour de 1 à 7 est attendu')
      .nullish(),
  })
  .refine(({ day, weekday }) => (day ? !weekday : weekday), {
    path: ['day'],
    error: 'Choisissez un jour, ou un jour de chaque semaine',
  })
  .meta({ id: 'PlannedVisitBody' })

/** Maximum number of planned visits in a response. */
export const mostPlannedVisits = 200

export const plannedVisits = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/collection/plans',
    right: ['collection.read', 'prices.collect'],
    summary: 'Les visites prévues',
    description: `Celles de cette semaine et à venir, et celles d’un jour passé depuis une semaine au plus, les ${mostPlannedVisits} premières\u202f; un agent ne voit que les siennes.`,
    query: z.object({
      mine: optionalQuery(z.enum(['true'], 'true est attendu')),
      agentId: idFilter.meta({ description: 'Celles de cet agent.', examples: [7] }),
    }),
    response: z.object({ data: z.array(plannedVisit) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/collection/plans',
    right: 'collection.write',
    summary: 'Prévoir une visite',
    description:
      'Un agent, un marché, et soit un jour (day), soit un jour de chaque semaine (weekday, 1 pour lundi).',
    body: plannedVisitBody,
    status: 201,
    response: plannedVisit.extend({ message: z.string() }),
  }),
  update: defineEndpoint({
    method: 'PUT',
    path: '/api/collection/plans/{id}',
    right: 'collection.write',
    summary: 'Changer une visite prévue',
    description: 'Son agent, son marché ou son jour. Les visites faites restent.',
    params: idParams,
    body: plannedVisitBody,
    response: plannedVisit.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/collection/plans/{id}',
    right: 'collection.write',
    summary: 'Ne plus prévoir une visite',
    description: 'Les visites faites restent.',
    params: idParams,
    response: acknowledgement,
  }),
}
