import { flagTitles } from '#features/prices/exports/columns.contract.ts'
import { exportPrices } from '#features/prices/exports/exports.contract.ts'
import {
  listExportedMarkets,
  listExportedProducts,
  selectExported,
} from '#features/prices/exports/exports.sql.ts'
import {
  fileColumns,
  marketCells,
  type PriceWriter,
  priceRow,
  productCells,
} from '#features/prices/exports/rows.rules.ts'
import type { Snapshot } from '#server/db/snapshot.ts'
import {
  type Exports,
  type FileFormat,
  fileFormats,
  type Rows,
  rowsPerBatch,
  sendAs,
} from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sheet } from '#server/workbook/xlsx.ts'
import type { QueryOf } from '#shared/contract.ts'
import type { ListFormat } from '#shared/export.ts'

type Selected = Awaited<ReturnType<typeof selectExported>>

// Maximum number of markets and products whose cells are cached at the same time.
const mostRemembered = 20_000

export function priceExportRoutes(api: Api, exports: Exports, today: () => string): void {
  api.on(exportPrices, async (call) => {
    const { query } = call
    const format: FileFormat = fileFormats[query.fileFormat]
    const snapshot = await exports.open(call)
    const selected = await selectExported(snapshot.db, query)
    sendAs(call, fileStem(query, today()), format)
    const columns = fileColumns(query.behind)
    return format.write(
      sheetOf(query.fileFormat, columns),
      exportedRows(snapshot, selected, { write: writerOf(query.fileFormat), columns }),
    )
  })
}

/** Returns the name of the file, with its period, whose open end is today: `prix-du-2026-01-01-au-2026-01-31`. */
function fileStem({ startDate, endDate }: QueryOf<typeof exportPrices>, today: string): string {
  return `prix${startDate ? `-du-${startDate}` : ''}-au-${endDate ?? today}`
}

type Columns = ReturnType<typeof fileColumns>

async function* exportedRows(
  snapshot: Snapshot,
  selected: Selected,
  { write, columns }: { write: PriceWriter; columns: Columns },
): Rows {
  try {
    if (!selected) return
    const markets = memory(
      (ids) => listExportedMarkets(snapshot.db, ids),
      (market) => marketCells(write.cells, market),
    )
    const products = memory(
      (ids) => listExportedProducts(snapshot.db, ids),
      (product) => productCells(write.cells, product),
    )
    for await (const prices of snapshot.read(selected, rowsPerBatch)) {
      const marketOf = await markets.recall(prices.map(({ marketId }) => marketId))
      const productOf = await products.recall(prices.map(({ productId }) => productId))
      yield prices.map((price) =>
        priceRow(write, price, marketOf(price.marketId), productOf(price.productId), columns),
      )
    }
  } finally {
    await snapshot.close()
  }
}

/** Caches the cells that repeat from row to row (those of a market or a product). */
function memory<Part extends { id: number }, Cells>(
  list: (ids: readonly number[]) => Promise<Part[]>,
  write: (part: Part) => Cells,
) {
  const cached = new Map<number, Cells>()
  const get = (id: number) => {
    const cells = cached.get(id)
    if (!cells) throw new Error(`a price speaks of ${id}, which its foreign key says exists`)
    return cells
  }
  return {
    async recall(ids: readonly number[]): Promise<(id: number) => Cells> {
      if (cached.size > mostRemembered) cached.clear()
      const missing = [...new Set(ids)].filter((id) => !cached.has(id))
      if (missing.length > 0) for (const part of await list(missing)) cached.set(part.id, write(part))
      return get
    },
  }
}

function writerOf(format: ListFormat): PriceWriter {
  const { cells } = fileFormats[format]
  return { cells, flag: (flag) => (format === 'csv-machine' ? flag : flagTitles[flag]) }
}

const wideColumns = ['market', 'product', 'category', 'type', 'brand', 'collector', 'source']

function sheetOf(format: ListFormat, columns: Columns): Sheet {
  const titled = columns.map(({ key, title }) => ({
    title: format === 'csv-machine' ? key : title,
    width: wideColumns.includes(key) ? 28 : 18,
  }))
  return { name: 'Prix', columns: titled }
}
