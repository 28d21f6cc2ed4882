// server/, shared/ and web/ may not name the product's nouns, which belong to the features.
import type { Facts } from './source-facts.ts'

const english =
  /\b(products?|prices?|markets?|brands?|categor(y|ies)|collectors?|agents?|plans?|subscriptions?|subscribers?|payments?)\b/gi
// Checked in screen texts only: a comment may explain how French speaks of a thing, « la marque », « ses produits ».
const french =
  /(?<![\p{L}-])(prix|relevés?|marchés?|marques?|catégories?|abonn\p{L}+|produits?|paiements?)(?!\p{L})/giu

// The same words with another meaning: HTTP's 402, the browser's name, Node's name for a connection pool, PostgreSQL's
// query plans.
const homonyms =
  /payment_required|[uU]ser[-_]?[aA]gent|agent: false|cached plan|isPlanOutdated|reads and plans/g

// Files that must name them.
const named = [
  // Names the rights on each resource.
  'src/shared/permissions.ts',
  // Describes Ntalo itself.
  'src/shared/ntalo.ts',
  // Use the names of the settings in .env.example.
  'src/server/config.ts',
  'src/server/config-schema.ts',
  // Generated from the migrations.
  'src/server/db/tables.ts',
]

/** Returns the product's nouns that a file of server/, shared/ or web/ should not name. */
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
