import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { type Db, openDatabase } from '#server/db/pool.ts'
import { newApiKey } from '#server/session/api-keys.ts'
import { hashToken } from '#server/session/tokens.ts'
import { privateDirectory } from '../support/embedded.ts'
import { freePort } from '../support/kill-trial.ts'
import { programEnv } from '../support/program-env.ts'
import { insertAccount } from '../support/server.ts'

const accounts = 1_000
const processes = 4
const kills = 10
const callsPerMonth = 40
const askers = 32
const quiet = { info() {}, warn() {}, error() {} }

test(`${accounts} keys use up their month at ${processes} processes of which ${kills} are killed, without one call too many`, async () => {
  // A PostgreSQL that servers accept: the tests' own one is not durable.
  const embedded = await startEmbedded({ dataDir: privateDirectory(), role: 'tool', log: quiet })
  const { host, port, user, database } = embedded.connection
  const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  const servers = [await startOne(databaseUrl)]
  while (servers.length < processes) servers.push(await startOne(databaseUrl))
  const { db, close } = await openDatabase({ connection: embedded.connection })
  const keys = await insertKeys(db)
  await close()
  try {
    const taken = new Map(keys.map((key) => [key, 0]))
    const refusals = new Map(keys.map((key) => [key, 0]))
    let asked = 0
    // Each key calls every process in turn until all four have refused it.
    const open = [...keys]
    const asking = Array.from({ length: askers }, async (_, asker) => {
      for (let turn = asker; open.length > 0; turn++) {
        const key = open[turn % open.length] ?? ''
        const status = await ask(servers[turn % processes]?.url ?? '', key)
        asked += 1
        if (status === 200) {
          taken.set(key, (taken.get(key) ?? 0) + 1)
          refusals.set(key, 0)
        } else if (status === 429) {
          const refused = (refusals.get(key) ?? 0) + 1
          refusals.set(key, refused)
          if (refused >= 2 * processes && open.includes(key)) open.splice(open.indexOf(key), 1)
        }
      }
    })
    const total = accounts * callsPerMonth
    for (let kill = 1; kill <= kills; kill++) {
      await expect.poll(() => asked, { interval: 20 }).toBeGreaterThan((kill * total) / (kills + 2))
      const at = kill % processes
      servers[at]?.child.kill('SIGKILL')
      if (servers[at]) await once(servers[at].child, 'exit')
      servers[at] = await startOne(databaseUrl)
    }
    await Promise.all(asking)
    const counts = [...taken.values()]
    const sum = counts.reduce((all, count) => all + count, 0)
    console.log(
      `${asked} calls asked, ${sum} of ${total} answered; the keys had from ${Math.min(...counts)} to ${Math.max(...counts)} of ${callsPerMonth}`,
    )
    expect(counts.filter((count) => count > callsPerMonth)).toEqual([])
    // Calls reserved by a killed process are lost: far less than a tenth of the total.
    expect(sum).toBeGreaterThan(0.9 * total)
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
    await embedded.stop()
  }
})

/** Inserts accounts with a plan of `callsPerMonth` calls a month, and returns the key of each. */
async function insertKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    insert into plan (name, price, calls_per_minute, calls_per_month) values ('Essai', 5, 10000, ${callsPerMonth}) returning id`.execute(
    db,
  )
  const keys: string[] = []
  for (let account = 0; account < accounts; account++) {
    const userId = await insertAccount(db, { roles: ['user'] })
    const key = newApiKey()
    await sql`insert into subscription (user_id, plan_id, status, start_date, end_date)
              values (${userId}, ${rows[0]?.id}, 'ACTIVE', now() - interval '1 day', now() + interval '20 days')`.execute(
      db,
    )
    await sql`insert into api_key (user_id, name, hash, prefix, scopes, version)
              values (${userId}, 'essai', ${hashToken(key)}, 'ntalo', '{markets.read}', '2026-11-26')`.execute(
      db,
    )
    keys.push(key)
  }
  return keys
}

/** Starts a server on a shared database; resolves once it listens. */
async function startOne(databaseUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    env: {
      ...programEnv,
      DATA_DIR: privateDirectory(),
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      DEMONSTRATION_PRICES: '0',
      LOG_LEVEL: 'silent',
      JOBS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout ?? [])
    if (String(chunk).includes('Ntalo écoute')) return { child, url: `http://127.0.0.1:${port}` }
  throw new Error(`a server ended with ${child.exitCode}`)
}

/** Returns the status of a call; 0 when no server answers. */
async function ask(url: string, key: string): Promise<number> {
  try {
    const answer = await fetch(`${url}/api/markets?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
