import { csvCells, csvStart } from '#features/prices/exports/csv.rules.ts'
import { type ExportFormat, exportPrices } from '#features/prices/exports/exports.contract.ts'
import { exportFileName } from '#features/prices/exports/exports.rules.ts'
import {
  listExportedMarkets,
  listExportedProducts,
  selectExported,
} from '#features/prices/exports/exports.sql.ts'
import { type CellWriter, marketCells, priceRow, productCells } from '#features/prices/exports/rows.rules.ts'
import { flagTitles, priceFileColumns } from '#features/prices/imports/columns.contract.ts'
import { dayIn } from '#features/prices/imports/values.rules.ts'
import type { PoolOptions } from '#server/db/pool.ts'
import { openSnapshot, type Snapshot } from '#server/db/snapshot.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Streams } from '#server/http/streams.ts'
import { writeXlsx, xlsxCells } from '#server/xlsx.ts'

type Selected = Awaited<ReturnType<typeof selectExported>>
type Bytes = AsyncGenerator<string | Uint8Array, void, undefined>
/** Rows written in a format, some at a time. */
type Rows = AsyncGenerator<readonly string[], void, undefined>

const longestStatementMs = 60_000
const rowsPerBatch = 500
// Markets and products whose cells are remembered at the same time.
const mostRemembered = 20_000

/** @param downloads decides whether another export may begin, and when it must end */
export function priceExportRoutes(api: Api, connection: PoolOptions['connection'], downloads: Streams): void {
  api.on(exportPrices, async (call) => {
    const { query, reply } = call
    const { cells, type, write } = formats[query.format]
    // Once aborted, it closes the snapshot as well.
    const signal = downloads.admit(call)
    const snapshot = await openSnapshot(connection, { limitMs: longestStatementMs, signal })
    const selected = await selectExported(snapshot.db, query)
    const name = exportFileName(query, dayIn('Africa/Kinshasa', new Date()))
    reply.headers({ 'content-type': type, 'content-disposition': `attachment; filename="${name}"` })
    return write(exportedRows(snapshot, selected, cells))
  })
}

async function* exportedRows(snapshot: Snapshot, selected: Selected, cells: CellWriter): Rows {
  try {
    if (!selected) return
    const markets = memory(
      (ids) => listExportedMarkets(snapshot.db, ids),
      (market) => marketCells(cells, market),
    )
    const products = memory(
      (ids) => listExportedProducts(snapshot.db, ids),
      (product) => productCells(cells, product),
    )
    for await (const prices of snapshot.read(selected, rowsPerBatch)) {
      const marketOf = await markets.recall(prices.map(({ marketId }) => marketId))
      const productOf = await products.recall(prices.map(({ productId }) => productId))
      yield prices.map((price) =>
        priceRow(cells, price, marketOf(price.marketId), productOf(price.productId)),
      )
    }
  } finally {
    await snapshot.close()
  }
}

/** Reads and writes what repeats from row to row once. */
function memory<Part extends { id: number }, Cells>(
  list: (ids: readonly number[]) => Promise<Part[]>,
  write: (part: Part) => Cells,
) {
  const known = new Map<number, Cells>()
  const get = (id: number) => {
    const cells = known.get(id)
    if (!cells) throw new Error(`a price speaks of ${id}, which its foreign key says exists`)
    return cells
  }
  return {
    async recall(ids: readonly number[]): Promise<(id: number) => Cells> {
      if (known.size > mostRemembered) known.clear()
      const missing = [...new Set(ids)].filter((id) => !known.has(id))
      if (missing.length > 0) for (const part of await list(missing)) known.set(part.id, write(part))
      return get
    },
  }
}

type Format = { cells: CellWriter; type: string; write(rows: Rows): Bytes }

const csv = (variant: 'human' | 'machine'): Format => ({
  cells: csvCells(variant),
  type: 'text/csv; charset=utf-8; header=present',
  async *write(rows) {
    yield csvStart(variant)
    for await (const batch of rows) yield batch.join('')
  },
})

const formats: Record<ExportFormat, Format> = {
  csv: csv('human'),
  'csv-machine': csv('machine'),
  xlsx: {
    cells: { ...xlsxCells, flag: (flag) => xlsxCells.text(flagTitles[flag]) },
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (rows) => writeXlsx({ name: 'Prix', columns: sheetColumns }, rows),
  },
}

const wideColumns = ['market', 'product', 'category', 'type', 'brand', 'collector', 'source']
const sheetColumns = priceFileColumns.map(({ key, title }) => ({
  title,
  width: wideColumns.includes(key) ? 28 : 18,
}))
