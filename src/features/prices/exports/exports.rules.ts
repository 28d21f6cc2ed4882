import type { ExportFormat } from '#features/prices/exports/exports.contract.ts'

/**
 * The name of an export, with its period: `prix-du-2026-01-01-au-2026-01-31.csv`.
 *
 * @param today what an open end means, `yyyy-mm-dd`
 */
export function exportFileName(
  query: { startDate?: string | undefined; endDate?: string | undefined; format: ExportFormat },
  today: string,
): string {
  const { startDate, endDate, format } = query
  const start = startDate ? `-du-${startDate}` : ''
  return `prix${start}-au-${endDate ?? today}.${format === 'xlsx' ? 'xlsx' : 'csv'}`
}
