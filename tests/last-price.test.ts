import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Queries that end with the latest row of prices; the group is the table or view that they read. */
const latestOf =
  /\b(?:from|join) (price|settled_price)\b(?:(?!\b(?:from|join) )[\s\S])*?order by (?:(?!\b(?:from|join) )[\s\S])*?observed_on desc(?:(?!\b(?:from|join) )[\s\S]){0,60}?limit 1\b/g

/** These read a day, or what an import compares with, and not a last price for users. */
const others = [
  'src/features/figures/months/months.sql.ts',
  'src/features/figures/price-index/price-index.sql.ts',
  'src/features/imports/prices/amounts.sql.ts',
  'src/features/prices/absence/absence.sql.ts',
]

test('a last price is read only from prices that are not doubted', () => {
  const found = globSync('src/**/*.sql.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(latestOf)].map(([, source]) => ({ path, source })),
  )
  const fromAll = found.filter(({ source }) => source === 'price').map(({ path }) => path)
  expect([...new Set(fromAll)].sort()).toEqual(others)
  expect(found.filter(({ source }) => source === 'settled_price').length).toBeGreaterThan(8)
})
