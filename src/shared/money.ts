// Formats amounts in the French of the DRC, the same in mails, error messages and screens.

const formatters = new Map<string, Intl.NumberFormat>()

/**
 * Formats an amount: `1 234,50 FC`, `1 235 FC`, `12,30 $US`. Whole francs have no decimals; any currency other than CDF
 * is shown as dollars. A decimal text from the database is never converted to a number, which would lose digits.
 */
export function moneyText(amount: number | string, currency: string): string {
  const code = currency.toUpperCase() === 'CDF' ? 'CDF' : 'USD'
  const digits = code === 'CDF' && /^-?\d+(\.0*)?$/.test(String(amount)) ? 0 : 2
  const key = `${code} ${digits}`
  const cached = formatters.get(key)
  const formatter =
    cached ??
    new Intl.NumberFormat('fr-CD', {
      style: 'currency',
      currency: code,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  if (!cached) formatters.set(key, formatter)
  return formatter.format(amount as Intl.StringNumericLiteral)
}
