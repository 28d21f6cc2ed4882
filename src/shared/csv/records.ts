import { type Line, type LineFault, longestLineBytes } from '#shared/csv/lines.ts'

/** A row of a CSV file, with the number of its first line. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: RecordFault; readonly text: string }

export type RecordFault = LineFault | 'unclosed-quote' | 'stray-quote'

type TextLine = Exclude<Line, { fault: LineFault }>

/**
 * Parses CSV rows (RFC 4180: quoted cells, doubled quotes, line breaks within quotes; a quote within an unquoted cell
 * is an ordinary character). Call `take` with each line in turn, then `end`. Blank lines are skipped.
 *
 * A cell may span lines only in a row that ends with `width` cells and at most `longest` characters. Otherwise the
 * quote is considered a mistake: its line is reported as a fault, and the lines after it are parsed again. Whatever the
 * file, no line is parsed again more than `width` times: a line that would leave a quote open when parsed alone either
 * closes the quote open before it, or adds a cell to that row.
 */
export function recordReader(separator: string, width: number, longest = longestLineBytes) {
  // The lines of a row with an open quote, and the lines after them that must be parsed again.
  let waiting: TextLine[] = []
  let next = 0
  let row = emptyRow()

  function* readAnew(): Generator<CsvRecord, void, undefined> {
    let first = 0
    while (next < waiting.length) {
      const head = waiting[first]
      const line = waiting[next]
      if (!head || !line) break
      next += 1
      if (next === first + 1 && isBlank(line.text)) {
        first = next
        continue
      }
      const state = readLine(row, line.text, separator)
      if (state === 'open' && row.length <= longest && row.cells.length < width) continue
      const isRow = state === 'closed' && (next === first + 1 || fits(row.cells, width))
      if (isRow) {
        yield { line: head.line, cells: row.cells }
        first = next
      } else {
        yield {
          line: head.line,
          fault: state === 'stray' && next === first + 1 ? 'stray-quote' : 'unclosed-quote',
          text: head.text,
        }
        first += 1
        next = first
      }
      row = emptyRow()
    }
    if (first > 0) {
      waiting = waiting.slice(first)
      next -= first
    }
  }

  /** Abandons the open row: its first line is a fault and the others are parsed again, until none remains. */
  function* giveUp(): Generator<CsvRecord, void, undefined> {
    while (waiting.length > 0) {
      const [head, ...others] = waiting
      if (head) yield { line: head.line, fault: 'unclosed-quote', text: head.text }
      waiting = others
      next = 0
      row = emptyRow()
      yield* readAnew()
    }
  }

  return {
    *take(line: Line): Generator<CsvRecord, void, undefined> {
      if ('fault' in line) {
        yield* giveUp()
        yield line
      } else if (waiting.length > 0 || line.text.includes('"')) {
        waiting.push(line)
        yield* readAnew()
      } else if (!isBlank(line.text)) {
        yield { line: line.line, cells: withoutReturn(line.text).split(separator) }
      }
    },
    end: giveUp,
  }
}

/**
 * Whether a row has as many cells as there are columns, not counting the empty cells that spreadsheets add at the end.
 */
export function fits(cells: readonly string[], width: number): boolean {
  return cells.length === width || (cells.length > width && cells.slice(width).every(isBlank))
}

type Row = { cells: string[]; open: string | null; lineBreak: string; length: number }

function emptyRow(): Row {
  return { cells: [], open: null, lineBreak: '', length: 0 }
}

/**
 * Parses a line into a row. Returns `closed` when the row is complete, `open` when a quote is not closed, `stray` when
 * text follows a closing quote.
 */
function readLine(row: Row, line: string, separator: string): 'closed' | 'open' | 'stray' {
  const text = withoutReturn(line)
  row.length += text.length
  let at = 0
  for (;;) {
    const isOpen = row.open !== null
    if (isOpen || text[at] === '"') {
      const end = readQuoted(row, text, isOpen ? at : at + 1)
      if (end < 0) {
        row.lineBreak = text === line ? '\n' : '\r\n'
        return 'open'
      }
      if (end === text.length) return 'closed'
      if (!text.startsWith(separator, end)) return 'stray'
      at = end + 1
    } else {
      const end = text.indexOf(separator, at)
      row.cells.push(end < 0 ? text.slice(at) : text.slice(at, end))
      if (end < 0) return 'closed'
      at = end + 1
    }
  }
}

/**
 * Parses a quoted cell from the character after its opening quote; returns where it ends, or -1 when the quote is not
 * closed.
 */
function readQuoted(row: Row, text: string, from: number): number {
  let value = row.open === null ? '' : row.open + row.lineBreak
  let at = from
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) {
      row.open = value + text.slice(at)
      return -1
    }
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      row.open = null
      row.cells.push(value)
      return quote + 1
    }
    value += '"'
    at = quote + 2
  }
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

/** Whether a line or a cell is blank; spreadsheets also save rows whose cells were emptied. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text)
}
