// What server/, shared/ and web/ are about: anything but the nouns of the product, which features own.
import type { Facts } from './source-facts.ts'

const english =
  /\b(products?|prices?|markets?|brands?|categor(y|ies)|collectors?|agents?|plans?|subscriptions?|subscribers?|payments?)\b/gi
// On screen only: a comment may say how French speaks of a thing, « la marque », « ses produits ».
const french =
  /(?<![\p{L}-])(prix|relevés?|marchés?|marques?|catégories?|abonn\p{L}+|produits?|paiements?)(?!\p{L})/giu

// Words of others that sound the same: HTTP's 402, what a browser calls itself, what Node calls a pool of
// connections, how PostgreSQL is going to answer.
const homonyms =
  /payment_required|[uU]ser[-_]?[aA]gent|agent: false|cached plan|isPlanOutdated|reads and plans/g

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

/** The nouns of the product that a file of server/, shared/ or web/ says and should not. */
function findNouns({ path, source }: Pick<Facts, 'path' | 'source'>): string[] {
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
  return findNouns(facts).map((noun) => `${facts.path} names a noun of the product: ${noun}`)
}
