import { z } from 'zod'
import { madeReportAddresses } from '#features/report/made/made.addresses.ts'
import { selectionFilters } from '#features/statistics/statistics.contract.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { idParams, inOrder, instant, reversedPeriod } from '#shared/fields.ts'

const madeReport = z
  .object({
    id: z.int(),
    /** `waiting` in the queue, `drawing`, `done` when it can be downloaded, or `failed`. */
    state: z.enum(['waiting', 'drawing', 'done', 'failed']),
    /** The number of reports that will be drawn before it. */
    ahead: z.int(),
    fileName: z.string(),
    /** The filters of the request, by name. */
    filters: z.record(z.string(), z.unknown()),
    createdAt: instant,
    endedAt: instant.nullable(),
  })
  .meta({ id: 'MadeReport' })
export type MadeReport = z.infer<typeof madeReport>

/** The page of statistics as a PDF made by a job: requested, followed, downloaded. Users only see their own. */
export const madeReports = {
  list: defineEndpoint({
    ...madeReportAddresses.list,
    right: 'statistics.read',
    summary: 'Ses rapports PDF des 30 derniers jours, du plus récent au plus ancien, 20 au plus',
    description: 'Un rapport reste 30 jours. `state` dit s’il est prêt.',
    response: z.object({ data: z.array(madeReport) }),
  }),
  create: defineEndpoint({
    ...madeReportAddresses.create,
    right: 'statistics.read',
    writes: 'own',
    summary: 'Demander la page des statistiques en PDF',
    description: 'Le rapport est dessiné en arrière-plan\u202f; son état se lit dans la liste.',
    query: selectionFilters.refine(inOrder, reversedPeriod),
    status: 201,
    response: madeReport.extend({ message: z.string() }),
  }),
  file: defineEndpoint({
    ...madeReportAddresses.file,
    right: 'statistics.read',
    summary: 'Un de ses rapports, en PDF',
    description: 'Le fichier PDF, une fois `state` à done.',
    params: idParams,
    media: ['application/pdf'],
    response: bytes,
  }),
}
