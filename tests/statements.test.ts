import fc from 'fast-check'
import { Kysely, PostgresDialect } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Tables } from '#server/db/tables.ts'
import { validInput } from './fuzz/inputs.ts'
import { nameOf } from './fuzz/requests.ts'
import { fuzzWorld } from './fuzz/world.ts'
import { testDatabase } from './support/database.ts'
import { inject } from './support/inject.ts'
import { narrowLimits } from './support/limits.ts'

const database = await testDatabase()

test('every GET runs at most five statements however many rows it returns, except pages of figures, which have their own limits', async () => {
  let statements = 0
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: () => {
      statements += 1
    },
  })
  const world = await fuzzWorld({ db, connection: database.connection })
  try {
    const session = await world.sessionOf('super admin')
    const headers = { authorization: `Bearer ${session?.access}` }
    await world.http.inject({ url: '/api/auth/me', headers })
    const counts: Record<string, number> = {}
    for (const operation of world.operations.filter(({ method }) => method === 'GET')) {
      const url = operation.path.replaceAll(/:\w+/g, '1') + fullest(operation.query)
      statements = 0
      const { statusCode } = await inject(world.http, { url, headers })
      // Not every resource has a first row here, and a callback from Google without a sign-in is refused.
      expect([200, 404, ...(url.includes('/google/callback') ? [400] : [])], nameOf(operation)).toContain(
        statusCode,
      )
      counts[nameOf(operation)] = statements
    }
    const mostOf = (name: string) => pages[name] ?? 5
    expect(Object.entries(counts).filter(([name, count]) => count > mostOf(name))).toEqual([])
    // The counter works.
    expect(counts['GET /api/prices']).toBeGreaterThan(1)
  } finally {
    await world.close()
  }
})

/** Limits of the endpoints that return all figures of a page, or a figure with its details. */
const pages: Record<string, number> = {
  // Reads whether the index is stored, which saves the fit of a large selection; and counts the converted dollars, and
  // the excluded ones: two statements when there are any.
  'GET /api/statistics/inflation': 13,
  'GET /api/statistics/export': 10,
  'GET /api/statistics/map': 6,
  // One statement more than before: it counts the earlier days of the shown products only, in half the time.
  'GET /api/statistics/dashboard': 17,
  'GET /api/public/overview': 19,
}

/** Returns the query with most rows: without filters, except the required ones. */
function fullest(query: z.ZodType | undefined): string {
  if (!(query instanceof z.ZodObject)) return ''
  const asked = new URLSearchParams()
  for (const [key, part] of Object.entries<z.ZodType>(query.shape)) {
    const [value] = fc.sample(validInput(part, key), { seed: 1, numRuns: 1 })
    if (key === 'limit') asked.set(key, '200')
    // The first row of the table that the field refers to exists.
    else if (!part.safeParse(undefined).success) asked.set(key, key.endsWith('Id') ? '1' : String(value))
  }
  return `?${asked}`
}

test('no statement runs longer than 5 s, no transaction idles longer than 10 s', async () => {
  narrowLimits()
  const { pool } = await testDatabase()
  const { rows } = await pool.query(
    `select name, setting::int as ms from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by 1`,
  )
  expect(rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', ms: 10_000 },
    { name: 'statement_timeout', ms: 5_000 },
  ])
})
