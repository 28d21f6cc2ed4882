import type { Expression } from 'kysely'
import type { Db, PoolOptions } from '#server/db/pool.ts'
import { openSnapshot, type Snapshot } from '#server/db/snapshot.ts'
import type { Call } from '#server/http/endpoint.ts'
import type { Streams } from '#server/http/streams.ts'
import { rowsPerText, type Sheet, writeXlsx, xlsxCells } from '#server/workbook/xlsx.ts'
import { slugOf } from '#shared/accents.ts'
import type { AnswerOf, bytes, Endpoint } from '#shared/contract.ts'
import { type CellWriter, type CsvVariant, csvCells, csvVariants } from '#shared/csv/write.ts'
import { dayInKinshasa } from '#shared/days.ts'
import { type ExportColumn, exportRow, inWords, type ListFormat } from '#shared/export.ts'
import type { Noun } from '#shared/resource.ts'

type Bytes = AsyncGenerator<string | Uint8Array, void, undefined>
/** Rows serialized in a format, in batches. */
export type Rows = AsyncGenerator<readonly string[], void, undefined>

export type FileFormat = {
  readonly cells: CellWriter
  readonly type: string
  readonly extension: string
  write(sheet: Sheet, rows: Rows): Bytes
}

export const fileFormats = {
  csv: csvFormat('human'),
  'csv-machine': csvFormat('machine'),
  xlsx: {
    cells: xlsxCells,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    write: writeXlsx,
  },
} satisfies Record<string, FileFormat>

const longestStatementMs = 60_000
export const rowsPerBatch = 500

type Caller = Pick<Call<Endpoint>, 'actor' | 'reply'>
type Exported<Row> = { noun: Noun; columns: readonly ExportColumn<Row>[] }
type ListCall<Query> = Caller & { query: Query & { fileFormat: ListFormat } }

/** Exports of whole selections, streamed from one database snapshot. */
export type Exports = {
  /** Opens the snapshot that a file is read from; closed by its reader, or when the response ends. */
  open(call: Caller): Promise<Snapshot>
  /** Sends a whole list as a file, in its sort order. */
  list<Row, Query>(
    call: ListCall<Query>,
    resource: Exported<Row>,
    select: (db: Db, query: Query) => Expression<Row>,
  ): Promise<AnswerOf<{ response: typeof bytes } & Endpoint>>
}

/**
 * @param connection returns the database that the current request reads from (primary or replica)
 * @param downloads limits the number and the duration of concurrent exports
 */
export function createExports(connection: () => PoolOptions['connection'], downloads: Streams): Exports {
  const open = (call: Caller) =>
    openSnapshot(connection(), { limitMs: longestStatementMs, signal: downloads.admit(call) })
  return {
    open,
    async list(call, { noun, columns }, select) {
      const format: FileFormat = fileFormats[call.query.fileFormat]
      const isForPrograms = format === fileFormats['csv-machine']
      const shown = isForPrograms ? columns : inWords(columns)
      const snapshot = await open(call)
      sendAs(call, `${slugOf(noun.many)}-au-${dayInKinshasa(new Date())}`, format)
      const rows = rowsOf(snapshot, select(snapshot.db, call.query), (row) =>
        exportRow(format.cells, shown, row),
      )
      const headings = columns.map(({ key, title }) => (isForPrograms && key) || title)
      return format.write(sheetOf(noun, columns, headings), rows)
    },
  }
}

/** Sets the content type and the file name of the response. */
export function sendAs({ reply }: Caller, stem: string, { type, extension }: FileFormat): void {
  reply.headers({
    'content-type': type,
    'content-disposition': `attachment; filename="${stem}.${extension}"`,
  })
}

async function* rowsOf<Row>(snapshot: Snapshot, query: Expression<Row>, write: (row: Row) => string): Rows {
  try {
    for await (const batch of snapshot.read(query, rowsPerBatch)) yield batch.map(write)
  } finally {
    await snapshot.close()
  }
}

/** Returns a sheet with the column titles of a list, or with other headings. */
export function sheetOf<Row>(
  noun: Noun,
  columns: readonly ExportColumn<Row>[],
  headings = columns.map(({ title }) => title),
): Sheet {
  const name = noun.many.charAt(0).toUpperCase() + noun.many.slice(1)
  return {
    name,
    columns: columns.map(({ title, kind = 'text' }, i) => ({
      title: headings[i] ?? title,
      width: widths[kind],
    })),
  }
}

const widths = { text: 28, number: 14, amount: 18, instant: 20 }

function csvFormat(variant: CsvVariant): FileFormat {
  const cells = csvCells(variant)
  return {
    cells,
    type: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    async *write({ columns }, rows) {
      yield csvVariants[variant].byteOrderMark + cells.row(columns.map(({ title }) => cells.text(title)))
      for await (const batch of rows) {
        for (let from = 0; from < batch.length; from += rowsPerText)
          yield batch.slice(from, from + rowsPerText).join('')
      }
    },
  }
}
