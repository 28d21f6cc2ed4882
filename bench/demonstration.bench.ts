import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { demonstrationQuotes } from '#demonstration/quotes.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/pool.ts'
import type { Measure } from './measure.ts'

export const title = 'What a first start waits for: 300 000 demonstration prices'

const prices = 300_000
const quiet = { info() {}, warn: console.warn, error: console.error }

export async function measure(): Promise<Measure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  // With the durability of production: the relaxed settings of tests would improve the figure.
  const embedded = await startEmbedded({ dataDir, role: 'tool', log: quiet })
  try {
    const { pool, close } = await openDatabase({ connection: embedded.connection })
    await migrate(pool, join(import.meta.dirname, '../db/migrations'), quiet)
    const loading = await seconds(() => loadDemonstration(pool, { log: quiet, prices }))
    const again = await seconds(() => loadDemonstration(pool, { log: quiet, prices }))
    await close()
    const generating = await seconds(() => {
      let count = 0
      for (const _ of demonstrationQuotes(new Date(), prices)) count += 1
      if (count < prices) throw new Error(`only ${count} quotes`)
    })
    return [
      { what: 'loading everything', value: loading, unit: 's', atMost: 20 },
      { what: 'of which making the quotes', value: generating, unit: 's' },
      { what: 'finding at a later start that it is done', value: again * 1000, unit: 'ms', atMost: 100 },
    ]
  } finally {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
