/** The currencies of amounts, to choose from. */
export const currencyOptions = [
  { value: 'CDF', label: 'Franc (CDF)' },
  { value: 'USD', label: 'Dollar (USD)' },
]
