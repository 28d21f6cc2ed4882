// Money is exact: decimals in SQL, their digits on the way, and whole numbers where something is computed.
import type { Facts } from './source-facts.ts'

const paths = /^src\/(features\/(payments|plans|revenue|subscriptions|rates)\/|shared\/money\.ts$)/
/** What makes a float of an amount, or rounds one as a float. */
const floats =
  /\bparseFloat\b|\.toFixed\(|\bMath\.(round|floor|ceil|trunc|fround)\(|::\s*(float\d?|real|double)\b|\bdouble precision\b/g
// Days and shares of a drawing are no money.
const others = [
  'src/features/subscriptions/subscriptions.rules.ts',
  'src/features/payments/ui/method-pie.tsx',
  'src/features/rates/rates.admin.tsx',
]

/** The floats in the path of money. */
export function checkMoney({ path, source }: Pick<Facts, 'path' | 'source'>): string[] {
  if (!paths.test(path) || /\.test\.tsx?$/.test(path) || others.includes(path)) return []
  return [...new Set(source.match(floats))].map((found) => `${path}: no float in the path of money: ${found}`)
}
