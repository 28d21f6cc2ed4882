import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchDuring } from '../../tests/support/attacks.ts'
import { freePort, onDatabase, startServer } from '../../tests/support/kill-trial.ts'
import { client, insertAccount, openSession } from '../../tests/support/server.ts'
import { type Measure, percentile } from '../measure.ts'
import { everyAttack } from './every-attack.ts'

const paths = ['/api/markets', '/api/categories?limit=10', '/api/products?limit=10', '/api/auth/me']

/** Measures the requests of a user during each attack of another user, for `seconds` each. */
export async function measureNeighbours(seconds: number): Promise<Measure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startServer(dataDir, port, { settings: { DEMONSTRATION_PRICES: '100000' } })
  try {
    const { neighbour, productId, ...attackers } = await onDatabase(dataDir, async (db) => {
      const as = async (role: string) => {
        const userId = await insertAccount(db, { roles: [role] })
        return client(url, await openSession(db, userId), userId)
      }
      const { id } = await db.selectFrom('product').select('id').orderBy('id').executeTakeFirstOrThrow()
      return {
        neighbour: await as('collector'),
        clerk: await as('collector'),
        importer: await as('admin'),
        productId: id,
      }
    })
    const measures: Measure[] = []
    for (const [name, attack] of Object.entries(await everyAttack(url, productId, attackers))) {
      const { ms, refused } = await watchDuring(attack, seconds, { neighbour, paths })
      const beside = `beside ${name} for ${seconds} s`
      measures.push(
        { what: `${beside}: answers to another`, value: ms.length, unit: 'answers' },
        { what: `${beside}: p99`, value: percentile(ms, 0.99), unit: 'ms', atMost: 1_000 },
        { what: `${beside}: not 200`, value: refused.length, unit: 'answers', atMost: 0 },
      )
    }
    return measures
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}
