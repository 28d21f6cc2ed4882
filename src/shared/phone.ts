/**
 * Parses a Congolese mobile number in any usual spelling (`+243 81 345 67 89`, `00243…`, `0813456789`, `813456789`).
 * Returns its digits with the prefix 243; undefined when it is not such a number.
 */
export function readPhone(typed: string): string | undefined {
  if (!/^[\s\u00a0\u202f().+\-/\d]+$/.test(typed)) return undefined
  const digits = typed.replaceAll(/\D/g, '').replace(/^00/, '')
  const national = digits.replace(/^243/, '').replace(/^0/, '')
  return /^(8[0-79]|9[016-9])\d{7}$/.test(national) ? `243${national}` : undefined
}
