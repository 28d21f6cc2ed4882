import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { privateDirectory } from '../support/embedded.ts'
import { freePort, onDatabase, startServer } from '../support/kill-trial.ts'
import { insertAccount, openSession } from '../support/server.ts'

const writes = 20_000
const writers = 16
const kills = 10

type Row = { id: number; priceValue: number; updatedAt: string }
type Changes = { data: Row[]; deleted: number[]; cursor: string; hasMore: boolean }

test(`a follower has the same table as the server after ${writes} concurrent writes and ${kills} kills`, async () => {
  const dataDir = privateDirectory()
  const port = await freePort()
  let server: ChildProcess = await startServer(dataDir, port)
  try {
    const { token, price } = await onDatabase(dataDir, prepare)
    const ask = asking(`http://127.0.0.1:${port}`, token)
    let left = writes
    const acknowledged = (answer: object | null) => {
      if (answer) left -= 1
    }
    const writing = Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const own: number[] = []
        for (let turn = 0; left > 0; turn++) {
          const [first] = own
          if (turn % 5 < 3 || first === undefined) {
            const priceValue = writer * 100_000 + turn + 1
            const body = { ...price, priceValue, collectorName: 'Amina', collectedAt: '2026-03-02' }
            const created = await ask<{ id: number }>('POST', '/api/prices', body)
            if (created) own.push(created.id)
            acknowledged(created)
          } else if (turn % 5 === 3) {
            acknowledged(await ask('PUT', `/api/prices/${own.at(-1)}`, { priceValue: turn + 1 }))
          } else {
            own.shift()
            acknowledged(await ask('DELETE', `/api/prices/${first}`))
          }
        }
      }),
    )
    const follower = { copy: new Map<number, Row>(), from: 'updatedSince=2000-01-01', pages: 0 }
    const readPage = async () => {
      const changes = await ask<Changes>('GET', `/api/prices?limit=200&${follower.from}`)
      if (!changes) return true
      for (const row of changes.data) follower.copy.set(row.id, row)
      for (const id of changes.deleted) follower.copy.delete(id)
      follower.from = `cursor=${changes.cursor}`
      follower.pages += 1
      return changes.hasMore
    }
    let isOver = false
    const following = (async () => {
      while (!isOver) await readPage()
    })()
    for (let kill = 1; kill <= kills; kill++) {
      // Kills are spread over the writes, at whatever point each write is.
      while (left > writes - (kill * writes) / (kills + 1)) await sleep(20)
      server.kill('SIGKILL')
      await once(server, 'exit')
      server = await startServer(dataDir, port)
    }
    await writing
    isOver = true
    await following
    while (await readPage());
    const rows = await onDatabase(dataDir, readTable)
    console.log(`${rows.length} prices, ${follower.pages} pages read`)
    expect(rows.length).toBeGreaterThan(writes / 20)
    expect(
      [...follower.copy.values()]
        .map(({ id, priceValue, updatedAt }) => ({ id, priceValue, updatedAt }))
        .sort((a, b) => a.id - b.id),
    ).toEqual(rows)
  } finally {
    server.kill('SIGKILL')
  }
})

async function prepare(db: Db) {
  const userId = await insertAccount(db, { roles: ['admin'] })
  const token = await openSession(db, userId)
  // The trial may last longer than a session that is not renewed.
  await sql`update session_token set expires_at = now() + interval '1 day'`.execute(db)
  return { token, price: { productId: await insertProduct(db), marketId: await insertMarket(db) } }
}

async function readTable(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, price_value as "priceValue", updated_at as "updatedAt" from price order by id`.execute(db)
  return rows
}

/** @returns the server's response; null when it does not answer, or refuses */
function asking(url: string, token: string) {
  return async <T>(method: string, path: string, body?: object): Promise<T | null> => {
    try {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const read = (await answer.json()) as T
      if (answer.ok) return read
      if ([400, 401, 402, 403].includes(answer.status)) throw new Error(JSON.stringify(read))
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('{')) throw error
    }
    await sleep(20)
    return null
  }
}
