// What server/, shared/ and web/ are about: anything but the nouns of the product, which features own.
import type { Facts } from './source-facts.ts'

const english =
  /\b(products?|prices?|markets?|brands?|categor(y|ies)|collectors?|agents?|plans?|subscriptions?|subscribers?|payments?)\b/gi
// On screen only: a comment may say how French speaks of a thing, « la marque », « ses produits ».
const french =
  /(?<![\p{L}-])(prix|relevés?|marchés?|marques?|catégories?|abonn\p{L}+|produits?|paiements?)(?!\p{L})/giu

// Words of others that sound the same: HTTP's 402, what a browser calls itself, how PostgreSQL is going to answer.
const homonyms = /payment_required|[uU]ser[-_]?[aA]gent|cached plan|isPlanOutdated|reads and plans/g

// These name them by necessity.
const named = [
  // What a permission guards.
  'src/shared/permissions.ts',
  // What Ntalo says of itself.
  'src/shared/ntalo.ts',
  // Settings are called what .env.example calls them.
  'src/server/config.ts',
  // Written from the migrations.
  'src/server/db/tables.ts',
]

// These still do on 2026-11-22. No other comes in, and each goes once it says its words through a feature or main/.
export const nounsToMove: Readonly<Record<string, string>> = {
  'src/server/errors.ts': 'the title of a refusal',
  'src/server/http/actor.ts': 'access, and what is said without it',
  'src/server/session/session.sql.ts': 'what access rests on',
  'src/server/session/sessions.ts': 'what access rests on',
  'src/web/ui/badge.tsx': 'the colours of roles',
  'src/web/ui/charts/chart-frame.tsx': 'what a chart counts, and says when it is empty',
  'src/web/ui/charts/line-chart.tsx': 'what a chart counts',
  'src/web/ui/charts/line-cursor.tsx': 'what a chart counts',
}

/** The nouns of the product that a file of server/, shared/ or web/ says and should not. */
export function findNouns({ path, source }: Pick<Facts, 'path' | 'source'>): string[] {
  if (!/^src\/(server|shared|web)\//.test(path) || /\.test\.tsx?$/.test(path) || named.includes(path))
    return []
  const lines = source.replaceAll(homonyms, '').split('\n')
  const found = lines.flatMap((line) => {
    const words = line.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
    const isComment = /^\s*(\/\/|\/?\*)/.test(line)
    return [...(words.match(english) ?? []), ...(isComment ? [] : (words.match(french) ?? []))]
  })
  return [...new Set(found)]
}

export function checkNouns(facts: Facts): string[] {
  if (facts.path in nounsToMove) return []
  return findNouns(facts).map((noun) => `${facts.path} names a noun of the product: ${noun}`)
}
