/**
 * A Congolese mobile number in any usual spelling (`+243 81 345 67 89`, `00243…`, `0813456789`, `813456789`), as digits
 * with 243 before them; undefined when it is none.
 */
export function readPhone(typed: string): string | undefined {
  if (!/^[\s\u00a0\u202f().+\-/\d]+$/.test(typed)) return undefined
  const digits = typed.replaceAll(/\D/g, '').replace(/^00/, '')
  const national = digits.replace(/^243/, '').replace(/^0/, '')
  return /^[89]\d{8}$/.test(national) ? `243${national}` : undefined
}
