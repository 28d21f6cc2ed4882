import { formatMoney, formatNumber, formatPercent } from '#web/format.ts'

/** The same in a list of values, where a unit that is a word is written once, beside. */
export function shortUnitFormat(unit: string): (value: number) => string {
  return isWord(unit) ? (value) => formatNumber(value) : unitFormat(unit)
}

/** Whether a unit is a word, that a chart writes once, and not a sign, that goes with each figure. */
export function isWord(unit: string): boolean {
  return !['FC', '$US', '%'].includes(unit)
}

/** How a value is written beside its point, from the unit of its axis: `FC`, `$US`, `%` or a word. */
export function unitFormat(unit: string): (value: number) => string {
  if (unit === 'FC') return (value) => formatMoney(Math.abs(value) >= 100 ? Math.round(value) : value, 'CDF')
  if (unit === '$US') return (value) => formatMoney(value, 'USD')
  if (unit === '%') return (value) => formatPercent(value)
  return (value) => (unit ? `${formatNumber(value)} ${unit}` : formatNumber(value))
}
