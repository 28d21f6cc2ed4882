import { z } from 'zod'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import { selectionFilters } from '#features/statistics/statistics.contract.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { fileMedia } from '#shared/export.ts'
import { inOrder, optionalChoice, reversedPeriod } from '#shared/fields.ts'

/** The page of statistics as a file: its figures and their definitions, and in a PDF its charts. */
export const exportStatistics = defineEndpoint({
  ...statisticsAddresses.report,
  right: 'statistics.read',
  summary: 'Exporter la page des statistiques en CSV, en classeur XLSX ou en PDF',
  description: 'Les mêmes chiffres que la page des statistiques, pour la même sélection.',
  query: selectionFilters
    .extend({
      fileFormat: optionalChoice(z.enum(['csv', 'xlsx', 'pdf'], 'Le format est csv, xlsx ou pdf'), 'csv'),
    })
    .refine(inOrder, reversedPeriod),
  media: [...fileMedia, 'application/pdf'],
  response: bytes,
})

/** The name of the storage of the files of reports. */
export const reportFiles = 'reports'
