import { get } from 'node:http'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { insertPrice } from './support/catalogue.ts'
import { testServer } from './support/server.ts'

const lines: string[] = []
const into = { write: (line: string) => void lines.push(line) }
const server = await testServer({ log: createLog('info', into) })
const reader = await server.as('manager')
const price = await insertPrice(server.db)
await sql`insert into price (product_id, market_id, price_value, currency, collected_at, observed_on, collector_name)
          select product_id, market_id, price_value, currency, collected_at, observed_on, collector_name
            from price, generate_series(1, 20000) where id = ${price}`.execute(server.db)

const openConnections = async () =>
  (
    await server.pool.query(`select from pg_stat_activity where application_name like '%' and state <> 'idle'
     and datname = current_database() and pid <> pg_backend_pid()`)
  ).rowCount

/** Disconnects during a download: once it is requested, once it is answered, or once part of it has arrived. */
function leave(path: string, when: 'asked' | 'answered' | 'begun'): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${reader.token}` }
    const request = get(server.url + path, { headers }, (response) => {
      if (when === 'answered') request.destroy()
      response.once('data', () => request.destroy())
      response.on('error', () => {})
    })
    request.on('error', () => {})
    request.on('close', () => resolve())
    if (when === 'asked')
      request.on('socket', (socket) => socket.once('connect', () => setImmediate(() => request.destroy())))
  })
}

test.each(['asked', 'answered', 'begun'] as const)(
  'a download that is aborted once it is %s logs no error',
  async (when) => {
    for (const path of [
      '/api/prices/export?fileFormat=csv',
      '/api/prices/export?fileFormat=xlsx',
      '/api/brands/export',
    ]) {
      for (let time = 0; time < 5; time++) await leave(path, when)
    }
    await expect.poll(openConnections).toBe(0)
    // The log is in order, so the aborted download has been logged by now.
    await reader.get('/api/health')
    await expect.poll(() => lines.some((line) => line.includes('/api/health'))).toBe(true)
    expect(lines.filter((line) => !line.includes('"level":30'))).toEqual([])
    lines.length = 0
  },
)
