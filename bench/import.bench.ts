import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { ImportProgress } from '#features/imports/importer.jobs.ts'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { type Database, openPool } from '#server/db/pool.ts'
import type { BenchOptions, Measure } from './measure.ts'
import { type PrivatePostgres, withPostgres } from './support/private-postgres.ts'

type Stage = ImportProgress['stage']

const root = join(import.meta.dirname, '..')

export const title = 'Importing a file of prices into an empty database, rollups included'

export async function measure({ prices: rows }: BenchOptions): Promise<Measure[]> {
  return withPostgres(async ({ pool, connection, dataDir }) => {
    const path = priceFileOf(dataDir, rows)
    const first = await timeImport(pool, path, rows)
    const again = await timeImport(pool, path, rows)
    const bareMs = await timeBareCopy(connection)
    const { host, port, user, database } = connection
    const url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const grownMb = (await peakMb(url, path)) - (await peakMb(url, priceFileOf(dataDir, 1)))
    const speed = (ms: number) => ({ value: (rows / ms) * 1000, unit: 'rows/s' })
    const share = (stage: Stage) => ({ value: (100 * (first.msOf[stage] ?? 0)) / first.ms, unit: '%' })
    return [
      { what: 'prices', value: rows, unit: 'prices' },
      { what: 'import', ...speed(first.ms), atLeast: 30_000 },
      {
        what: 'memory of the command, beyond that for a single row',
        value: grownMb,
        unit: 'MB',
        atMost: 150,
      },
      { what: 'of the time, reading, checking and staging the file', ...share('reading') },
      { what: 'of the time, finding or creating the catalogue', ...share('matching') },
      { what: 'of the time, storing prices and rollups', ...share('writing') },
      { what: 'the same file again, nothing to add', ...speed(again.ms) },
      { what: 'bare COPY of the same rows: no check, index, key or rollup', ...speed(bareMs) },
    ]
  })
}

/** Writes the file in a separate process, so that its memory does not count as the import's. */
function priceFileOf(folder: string, count: number): string {
  const path = join(folder, `${count}.csv`)
  execFileSync(process.execPath, [join(root, 'bench/support/price-file.ts'), path, String(count)])
  return path
}

async function timeImport(pool: Database['pool'], path: string, rows: number) {
  const msOf: Partial<Record<Stage, number>> = {}
  const start = performance.now()
  let stage: Stage = 'reading'
  let since = start
  const onProgress = (progress: ImportProgress) => {
    if (progress.stage === stage) return
    const now = performance.now()
    msOf[stage] = now - since
    stage = progress.stage
    since = now
  }
  const outcome = await importPrices(pool, createReadStream(path), { onProgress })
  const ms = performance.now() - start
  if (outcome.read !== rows || outcome.rejected > 0) throw new Error(`${outcome.read} rows read, not ${rows}`)
  return { ms, msOf }
}

/** Returns the peak memory (MB) of the command while it reads a file, as Linux counts it. */
async function peakMb(url: string, path: string): Promise<number> {
  const words = [join(root, 'scripts/import.mjs'), 'prices', path, '--dry-run', '--json']
  const env = { ...process.env, DATABASE_URL: url }
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOfChildren(child.pid ?? 0))
  }, 50)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  if (code !== 0) throw new Error(`the command ended with ${code}`)
  return peak
}

/** Measures the children: the command runs on the pinned Node, a child of the process that was started. */
function peakOfChildren(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
    const peaks = children.map(
      (each) => /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1],
    )
    return Math.max(0, ...peaks.map((kb) => Number(kb ?? 0) / 1000))
  } catch {
    // The process has just ended.
    return 0
  }
}

/**
 * Measures the least time of the database: the same rows, already checked, copied into a table without indexes or
 * triggers.
 */
async function timeBareCopy(connection: PrivatePostgres['connection']): Promise<number> {
  const pool = openPool({ connection, statementTimeoutMs: 0 })
  const out = await pool.connect()
  const into = await pool.connect()
  const columns =
    'product_id, market_id, price_value, currency, flag, collector_name, source, collected_at, observed_on'
  const parts: Buffer[] = []
  await pipeline(out.query(copyTo(`copy (select ${columns} from price) to stdout`)), async (stream) => {
    for await (const part of stream) parts.push(part)
  })
  await into.query(`create table bare_price as select ${columns} from price with no data`)
  const start = performance.now()
  const stream = into.query(copyFrom(`copy bare_price (${columns}) from stdin`))
  for (const part of parts) if (!stream.write(part)) await new Promise((next) => stream.once('drain', next))
  stream.end()
  await finished(stream)
  const ms = performance.now() - start
  out.release()
  into.release()
  await pool.end()
  return ms
}
