// Money is exact: decimals in SQL, strings of digits in transit, and integers in computations.
import type { Facts } from './source-facts.ts'

const paths = /^src\/(features\/(payments|plans|revenue|subscriptions|rates)\/|shared\/money\.ts$)/
/** Code that turns an amount into a float, or rounds one as a float. */
const floats =
  /\bparseFloat\b|\.toFixed\(|\bMath\.(round|floor|ceil|trunc|fround)\(|::\s*(float\d?|real|double)\b|\bdouble precision\b/g
// These compute days and shares of a drawing, not money.
const others = [
  'src/features/subscriptions/subscriptions.rules.ts',
  'src/features/payments/ui/method-pie.tsx',
  'src/features/rates/rates.admin.tsx',
]

/** Returns the floats in files that compute money. */
export function checkMoney({ path, source }: Pick<Facts, 'path' | 'source'>): string[] {
  if (!paths.test(path) || /\.test\.tsx?$/.test(path) || others.includes(path)) return []
  return [...new Set(source.match(floats))].map((found) => `${path}: no float in the path of money: ${found}`)
}
