import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What ends with the latest row of prices, by the table or view that it reads. */
const latestOf =
  /\b(?:from|join) (price|settled_price)\b(?:(?!\b(?:from|join) )[\s\S])*?order by (?:(?!\b(?:from|join) )[\s\S])*?observed_on desc(?:(?!\b(?:from|join) )[\s\S]){0,60}?limit 1\b/g

/** Which day, and what an import takes a price for, are no last price of anybody. */
const others = [
  'src/features/figures/months/months.sql.ts',
  'src/features/figures/price-index/price-index.sql.ts',
  'src/features/imports/prices/amounts.sql.ts',
  'src/features/prices/absence/absence.sql.ts',
]

test('a last price is read from the prices that nobody doubts', () => {
  const found = globSync('src/**/*.sql.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(latestOf)].map(([, source]) => ({ path, source })),
  )
  const fromAll = found.filter(({ source }) => source === 'price').map(({ path }) => path)
  expect([...new Set(fromAll)].sort()).toEqual(others)
  expect(found.filter(({ source }) => source === 'settled_price').length).toBeGreaterThan(8)
})
