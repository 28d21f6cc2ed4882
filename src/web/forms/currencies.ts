/** Options of the currency field. */
export const currencyOptions = [
  { value: 'CDF', label: 'Franc (CDF)' },
  { value: 'USD', label: 'Dollar (USD)' },
]
