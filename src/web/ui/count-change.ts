import { formatCount, notAvailable } from '#web/format.ts'

/**
 * Returns the change of a count in words: « 14 lignes de plus que la période précédente ». A count, unlike an amount,
 * has no arrow or colour.
 *
 * @param difference null when there is nothing to compare with
 * @param than what it is compared with: « la période précédente », « hier »
 */
export function countChangeText(
  difference: number | null | undefined,
  [one, many]: readonly [one: string, many: string],
  than: string,
): string {
  if (typeof difference !== 'number') return notAvailable
  const what = /^[aeéhiou]/i.test(than) ? `qu’${than}` : `que ${than}`
  if (difference === 0) return `autant ${what}`
  return `${formatCount(Math.abs(difference), one, many)} de ${difference > 0 ? 'plus' : 'moins'} ${what}`
}
