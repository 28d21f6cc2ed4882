import {
  describeForeignFile,
  type Layout,
  notPrices,
  readHeader,
  readTitles,
} from '#features/prices/imports/header.rules.ts'
import { type Batch, priceIntake } from '#features/prices/imports/intake.rules.ts'
import { ourRows } from '#features/prices/imports/ours.rules.ts'
import type { RowOptions } from '#features/prices/imports/rows.rules.ts'
import { wfpRows } from '#features/prices/imports/wfp.rules.ts'
import { isAboveTitles, notUtf8, oldLineEnds } from '#shared/csv/header.ts'
import { type Line, lineReader } from '#shared/csv/lines.ts'
import { recordReader } from '#shared/csv/records.ts'
import type { Rejection } from '#shared/import-report.ts'

/** The file as a whole cannot be imported; the message, in French, says why and what to do. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

// Enough to recognise what is no CSV.
const startBytes = 8

/**
 * Reads a price file of any known format from its bytes: `read` each chunk in turn, `takeBatch` whenever enough rows
 * are `waiting`, then `end`.
 *
 * @param onRejected told every row that is refused
 * @throws UnreadableFile from `read` and `end`
 */
export function priceFileReader(
  options: RowOptions,
  longestErrorList: number,
  onRejected: (rejection: Rejection) => void = () => {},
) {
  const lines = lineReader()
  let start: readonly number[] = []
  let body: ReturnType<typeof openBody> | null = null

  function takeLine(line: Line): void {
    if (!body) {
      const layout = readLayout(line, Uint8Array.from(start))
      if (layout) body = openBody(layout)
      return
    }
    for (const record of body.records.take(line)) body.intake.take(record)
  }

  function openBody(layout: Layout) {
    const rows = layout.kind === 'wfp' ? wfpRows(layout, options) : ourRows(layout, options)
    return {
      records: recordReader(layout.separator, layout.width),
      // Sheets leave out what is blank.
      padded: (cells: readonly string[]) => Array.from({ length: layout.width }, (_, at) => cells[at] ?? ''),
      intake: priceIntake(layout, rows, longestErrorList, onRejected),
    }
  }

  return {
    read(chunk: Uint8Array): void {
      if (start.length < startBytes) start = [...start, ...chunk.subarray(0, startBytes)].slice(0, startBytes)
      for (const line of lines.read(chunk)) takeLine(line)
    },
    /** Takes rows of a workbook instead. */
    readRows(rows: readonly { readonly line: number; readonly cells: readonly string[] }[]): void {
      for (const { line, cells } of rows) {
        if (body) body.intake.take({ line, cells: body.padded(cells) })
        else if (cells.some((cell) => cell.trim() !== '')) body = openBody(whole(readTitles(cells)))
      }
    },
    end(): void {
      for (const line of lines.end()) takeLine(line)
      if (!body) throw new UnreadableFile('Ce fichier est vide.')
      for (const record of body.records.end()) body.intake.take(record)
      const { read, undecodable } = body.intake.counts()
      if (read > 0 && undecodable === read) throw new UnreadableFile(notUtf8)
    },
    waiting: () => body?.intake.waiting() ?? 0,
    takeBatch: (): Batch => body?.intake.batch() ?? { prices: [], markets: [], products: [], origins: [] },
    counts: () => body?.intake.counts() ?? { read: 0, rejected: 0, undecodable: 0, errors: [] },
  }
}

/** Reads the line that names the columns; null for one that may stand before it. */
function readLayout(line: Line, start: Uint8Array): Layout | null {
  const foreign = describeForeignFile(start)
  if (foreign) throw new UnreadableFile(foreign)
  if ('fault' in line) throw new UnreadableFile(line.fault === 'encoding' ? notUtf8 : notPrices)
  if (isAboveTitles(line.text)) return null
  if (/\r./.test(line.text)) throw new UnreadableFile(oldLineEnds)
  return whole(readHeader(line.text))
}

function whole(layout: ReturnType<typeof readHeader>): Layout {
  if ('refusal' in layout) throw new UnreadableFile(layout.refusal)
  return layout
}
