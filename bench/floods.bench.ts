import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, onDatabase, startServer } from '../tests/support/kill-trial.ts'
import { load } from '../tests/support/load.ts'
import { client, insertAccount, openSession } from '../tests/support/server.ts'
import { type Measure, percentile } from './measure.ts'

export const title = 'What 64 connections of one visitor do to somebody who is signed in'

const seconds = 6
const connections = 64
const mostTimes = 3

type Flood = { path: string; body?: object }

/** Requests that cost the server something before it knows the client. */
const floods: Record<string, Flood> = {
  'pages that are not there': { path: '/nulle-part' },
  'a page with a query': { path: '/contact?sujet=essai' },
  'the home page': { path: '/' },
  'addresses of the API that are not there': { path: '/api/nulle-part' },
  'callbacks of payments': { path: '/webhooks/pawapay', body: { depositId: 'x', status: 'COMPLETED' } },
  'wrong sign-ins': { path: '/api/auth/login', body: { email: 'personne@exemple.cd', password: 'faux' } },
  'the description of the API': { path: '/api/openapi.json' },
}

export async function measure(): Promise<Measure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startServer(dataDir, port, { settings: { DEMONSTRATION_PRICES: '100000' } })
  try {
    const reader = await onDatabase(dataDir, async (db) => {
      const userId = await insertAccount(db, { roles: ['collector'] })
      return client(url, await openSession(db, userId), userId)
    })
    /** Returns the times (ms) of lists of prices, one after the other with a pause, in ascending order. */
    const read = async () => {
      const times: number[] = []
      let refused = 0
      for (const end = performance.now() + 1000 * (seconds - 1); performance.now() < end; await sleep(50)) {
        const start = performance.now()
        const { status } = await reader.get('/api/prices?limit=20')
        if (status === 200) times.push(performance.now() - start)
        else refused += 1
      }
      return {
        median: percentile(
          times.sort((a, b) => a - b),
          0.5,
        ),
        refused,
      }
    }
    await read()
    const measures: Measure[] = []
    for (const [name, { path, body }] of Object.entries(floods)) {
      const quiet = await read()
      const flood = load({
        url: url + path,
        token: null,
        rate: null,
        connections,
        seconds,
        ...(body && { body }),
      })
      const beside = await read()
      await flood
      measures.push(
        { what: `${name}: a list of prices beside`, value: beside.median, unit: 'ms' },
        {
          what: `${name}: times its quiet median`,
          value: beside.median / quiet.median,
          unit: '×',
          atMost: mostTimes,
        },
        { what: `${name}: refused beside`, value: beside.refused, unit: 'answers', atMost: 0 },
      )
    }
    return measures
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}
