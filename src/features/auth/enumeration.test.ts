import { Kysely, PostgresDialect } from 'kysely'
import { expect, test } from 'vitest'
import type { Tables } from '#server/db/tables.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { client, insertAccount, listenOn } from '../../../tests/support/server.ts'

const database = await testDatabase()
let statements: string[] = []
const db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: database.pool }),
  log: ({ query }) => {
    statements.push(query.sql)
  },
})
const visitor = client((await listenOn({ ...database, db })).url, null, null)

const known = 'aline@exemple.cd'
const unknown = 'personne@exemple.cd'
const password = 'safou et manioc 1960'
await insertAccount(db, { roles: ['user'], email: known, passwordHash: await hashPassword(password) })

/**
 * Returns everything a client can observe in a response, and the statements that it runs: the same work takes the same
 * time.
 */
async function observe(path: string, body: object) {
  statements = []
  const { status, headers, body: said } = await visitor.post(path, body)
  const { requestId: _requestId, ...rest } = Object(said)
  return { status, said: rest, headers: [...headers.keys()].sort(), statements }
}

const paths: [name: string, path: string, body: object][] = [
  ['signing in', '/api/auth/login', { password: 'autre chose 1' }],
  ['a forgotten password', '/api/auth/forgot-password', {}],
  ['another confirmation link', '/api/auth/resend-verification', {}],
  ['registering', '/api/auth/register', { name: 'Aline', password: 'pondu du dimanche' }],
]

test.each(paths)(
  '%s is answered with the same text and the same work, whether or not the address has an account',
  async (_name, path, more) => {
    // The first request also does the work that a process does once.
    await observe(path, { ...more, email: 'avant@exemple.cd' })
    const first = await observe(path, { ...more, email: known })
    const second = await observe(path, { ...more, email: unknown })
    expect(first.statements.length).toBeGreaterThan(1)
    expect(second).toEqual(first)
  },
)

test.each(paths)('%s takes the same processor time', async (_name, path, more) => {
  const took = { known: [] as number[], unknown: [] as number[] }
  // Compares the shortest time of each, hashing threads included: without the hash for an unknown account, one takes a
  // fifth of the other. Measured by the clock and by the thousand in `npm run bench -- sign-in`.
  const difference = () => {
    const [one, other] = [Math.min(...took.known), Math.min(...took.unknown)]
    return Math.abs(one - other) / Math.max(12.5, one, other)
  }
  for (let index = 0; index < 8 || (index < 96 && difference() > 0.4); index++) {
    for (const who of index % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const email = who === 'known' ? known : `${index}-${unknown}`
      await database.pool.query('delete from rate_limit')
      const before = process.cpuUsage()
      const { status } = await visitor.post(path, { ...more, email })
      const { user, system } = process.cpuUsage(before)
      took[who].push((user + system) / 1000)
      expect(status).toBeLessThan(402)
    }
  }
  expect(difference()).toBeLessThan(0.4)
})
