import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '#main/app.ts'
import type { Db } from '#server/db/pool.ts'
import { createLog } from '#server/log.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { insertSession, insertTokens } from '#server/session/session.sql.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { type Client, client, insertAccount } from '../tests/support/server.ts'
import { cookieOf } from '../tests/support/visits.ts'
import { type Measure, percentile } from './measure.ts'
import { noViews } from './support/no-views.ts'
import { withPostgres } from './support/private-postgres.ts'

export const title = 'Signing in when many do, and what a stopwatch tells of who has an account'

const password = 'un mot de passe assez long'
const perSecond = 50
const seconds = 20
const people = 50
const tries = 1_000
/** Number of sessions whose tabs all wake up at once, and of tabs of each. */
const races = { sessions: 1_000, tabs: 100 }
/** Forms that must not reveal whether an address has an account. */
const forms = [
  ['signing in', '/api/auth/login', { password: 'autre chose 1' }],
  ['a forgotten password', '/api/auth/forgot-password', {}],
  ['registering', '/api/auth/register', { name: 'Aline', password: 'pondu du dimanche' }],
] as const

export async function measure(): Promise<Measure[]> {
  return withPostgres(async ({ db, connection, dataDir }) => {
    const http = await buildApp({
      db,
      connection,
      dataDir,
      publicUrl: null,
      trustedProxies: 0,
      log: createLog('silent'),
      views: noViews(dataDir),
    })
    const visitor = client(await http.listen({ port: 0, host: '127.0.0.1' }), null, null)
    try {
      return [...(await crowd(visitor, db)), ...(await race(visitor, db)), ...(await stopwatch(visitor, db))]
    } finally {
      await http.close()
    }
  })
}

/** Measures sign-ins at a fixed rate, whether or not earlier ones are answered. */
async function crowd(visitor: Client, db: Db): Promise<Measure[]> {
  const passwordHash = await hashPassword(password)
  const emails = Array.from({ length: people }, (_, index) => `foule-${index}@exemple.cd`)
  for (const email of emails) await insertAccount(db, { roles: ['user'], email, passwordHash })
  const answers: Promise<{ status: number; ms: number }>[] = []
  const start = performance.now()
  for (let index = 0; index < perSecond * seconds; index++) {
    await sleep(Math.max(0, start + (index * 1000) / perSecond - performance.now()))
    const asked = performance.now()
    const answer = visitor.post('/api/auth/login', { email: emails[index % people], password })
    answers.push(answer.then(({ status }) => ({ status, ms: performance.now() - asked })))
  }
  const all = await Promise.all(answers)
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const refused = all.filter(({ status }) => status !== 200).length
  return [
    { what: `${perSecond} sign-ins a second, p50`, value: percentile(times, 0.5), unit: 'ms' },
    { what: `${perSecond} sign-ins a second, p99`, value: percentile(times, 0.99), unit: 'ms', atMost: 400 },
    { what: `${perSecond} sign-ins a second, not answered 200`, value: refused, unit: '', atMost: 0 },
  ]
}

/**
 * Renews each session from all its tabs at once, continues with one of the responses, and then uses its first token as
 * a thief would.
 */
async function race(visitor: Client, db: Db): Promise<Measure[]> {
  const renew = async (cookie: string) => {
    const answer = await visitor.send('/api/auth/refresh', { method: 'POST', headers: { cookie } })
    return { status: answer.status, next: cookieOf(answer) }
  }
  const found = { signedOut: 0, late: 0, familiesMore: 0, stolen: 0 }
  for (let session = 0; session < races.sessions; session++) {
    const email = `onglets-${session}@exemple.cd`
    const userId = await insertAccount(db, { roles: ['user'], email })
    const first = newToken()
    const hashes = { access: hashToken(newToken()), refresh: hashToken(first) }
    await insertTokens(db, await insertSession(db, userId, 'bench'), hashes)
    const woken = await Promise.all(Array.from({ length: races.tabs }, () => renew(`ntalo_refresh=${first}`)))
    const given = woken.filter(({ status }) => status === 200)
    const goesOn = await renew(given[session % given.length]?.next ?? '')
    if ([...woken, goesOn].some(({ status }) => status === 401)) found.signedOut++
    found.late += woken.length - given.length
    const { length } = await db.selectFrom('session').select('id').where('user_id', '=', userId).execute()
    if (length !== 1) found.familiesMore++
    for (const stolen of [`ntalo_refresh=${first}`, goesOn.next]) {
      if ((await renew(stolen)).status === 200) found.stolen++
    }
  }
  const what = `${races.sessions} sessions renewed by ${races.tabs} tabs at once`
  return [
    { what: `${what}: signed out wrongly`, value: found.signedOut, unit: 'sessions', atMost: 0 },
    { what: `${what}: renewals that must be asked for again`, value: found.late, unit: '' },
    { what: `${what}: in more than one family`, value: found.familiesMore, unit: 'sessions', atMost: 0 },
    { what: `${what}: a stolen token left open`, value: found.stolen, unit: 'sessions', atMost: 0 },
  ]
}

/** Measures addresses with and without an account in turns, so that other work of the machine affects both. */
async function stopwatch(visitor: Client, db: Db): Promise<Measure[]> {
  const known = 'foule-0@exemple.cd'
  const measures: Measure[] = []
  for (const [name, path, more] of forms) {
    const took = { known: [] as number[], unknown: [] as number[] }
    for (let index = 0; index < tries; index++) {
      for (const who of index % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        await db.deleteFrom('rate_limit').execute()
        const email = who === 'known' ? known : `personne-${index}@exemple.cd`
        const start = performance.now()
        await visitor.post(path, { ...more, email })
        took[who].push(performance.now() - start)
      }
    }
    const middle = (samples: number[]) =>
      percentile(
        samples.sort((a, b) => a - b),
        0.5,
      )
    const difference = Math.abs(middle(took.known) - middle(took.unknown))
    const what = `${name}: known and unknown addresses, difference of the medians of ${tries}`
    measures.push({ what, value: difference, unit: 'ms', atMost: 5 })
  }
  return measures
}
