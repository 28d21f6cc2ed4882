// Amounts as the French of the DRC write them, the same in a mail, in a refusal and on a screen.

const formatters = new Map<string, Intl.NumberFormat>()

/**
 * `1 234,50 FC`, `1 235 FC`, `12,30 $US`: whole francs lose their decimals, an unknown currency counts as dollars. A decimal
 * text, as the database writes one, is never made a number.
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
