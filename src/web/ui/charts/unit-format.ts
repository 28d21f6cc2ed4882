import { formatMoney, formatNumber, formatPercent } from '#web/format.ts'

/** Returns the formatter of values beside their points, for the unit of the axis: `FC`, `$US`, `%` or a noun. */
export function unitFormat(unit: string): (value: number) => string {
  if (unit === 'FC') return (value) => formatMoney(Math.abs(value) >= 100 ? Math.round(value) : value, 'CDF')
  if (unit === '$US') return (value) => formatMoney(value, 'USD')
  if (unit === '%') return (value) => formatPercent(value)
  return (value) => (unit ? `${formatNumber(value)} ${unit}` : formatNumber(value))
}
