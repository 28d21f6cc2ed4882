/**
 * The name of an export, with its period: `prix-du-2026-01-01-au-2026-01-31`.
 *
 * @param today what an open end means, `yyyy-mm-dd`
 */
export function exportFileStem(
  query: { startDate?: string | undefined; endDate?: string | undefined },
  today: string,
): string {
  const { startDate, endDate } = query
  const start = startDate ? `-du-${startDate}` : ''
  return `prix${start}-au-${endDate ?? today}`
}
