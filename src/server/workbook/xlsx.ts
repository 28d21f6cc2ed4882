// Writes workbooks as a stream (ECMA-376, part 1), with texts inline in their cells.

import { type ZipEntry, zip } from '#server/workbook/zip.ts'
import { dayMs } from '#shared/days.ts'

export type Sheet = {
  /** At most 25 characters, without any of `:\/?*[]`. */
  readonly name: string
  readonly columns: readonly SheetColumn[]
}

/** Title and width (characters) of a column. */
export type SheetColumn = { readonly title: string; readonly width: number }

const empty = '<c/>'
const styles = { plain: 0, title: 1, day: 2, instant: 3, amount: 4, link: 5 }
/** Longest text in a formula, in characters: a limit of the format. */
const longestAddress = 255

/** Serializes cells of each type; null gives an empty cell. */
export const xlsxCells = {
  /** A text cell, even when it looks like a formula or a number. */
  text: (value: string | null) => (value === null ? empty : inlineText(value, styles.plain)),
  /** @param decimal plain digits, with a point */
  number: (decimal: string | null) => (decimal === null ? empty : `<c><v>${decimal}</v></c>`),
  /** A number displayed with two decimals. */
  amount: (decimal: string) => `<c s="${styles.amount}"><v>${decimal}</v></c>`,
  /** A hyperlink; a text when the address is too long for a formula. */
  link: (href: string) =>
    href.length > longestAddress
      ? inlineText(href, styles.plain)
      : `<c s="${styles.link}" t="str"><f>HYPERLINK("${escapeXml(href.replaceAll('"', '%22'))}")</f><v>${escapeXml(href)}</v></c>`,
  /** @param day `yyyy-mm-dd` */
  day: (day: string) => dateCell(day, styles.day),
  /** @param local local time, `yyyy-mm-ddThh:mm:ss`; cells have no time zone */
  instant: (local: string) => dateCell(local, styles.instant),
  row: (cells: readonly string[]) => `<row>${cells.join('')}</row>`,
}

/**
 * Number of rows that are joined into one string. Strings over 128 kB stay in memory until a full garbage collection:
 * with more rows per string, a file of 100 000 rows took twelve megabytes more.
 */
export const rowsPerText = 50
/** Maximum number of rows of a sheet, with its titles: a limit of the format. */
const mostRows = 1_048_576
/** Keeps a sheet well below the size limit of an archive entry. */
const mostCharacters = 1_000_000_000

/**
 * Writes a workbook with one sheet, and further sheets when the rows exceed the limit of one.
 *
 * @param batches rows serialized by `xlsxCells.row`
 */
export function writeXlsx(
  sheet: Sheet,
  batches: AsyncIterable<readonly string[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  return zip(entriesOf(sheet, batches))
}

async function* entriesOf(sheet: Sheet, batches: AsyncIterable<readonly string[]>): AsyncGenerator<ZipEntry> {
  const source = rowSource(batches)
  const names: string[] = []
  try {
    do {
      names.push(names.length === 0 ? sheet.name : `${sheet.name} (${names.length + 1})`)
      yield { name: `xl/worksheets/sheet${names.length}.xml`, content: sheetXml(sheet.columns, source) }
    } while (await source.hasMore())
  } finally {
    await source.close()
  }
  for (const { name, text } of partsOf(names)) yield { name, content: once(text) }
}

type RowSource = ReturnType<typeof rowSource>

/** Returns a source of rows that splits batches into runs of limited length. */
function rowSource(batches: AsyncIterable<readonly string[]>) {
  const iterator = batches[Symbol.asyncIterator]()
  let held: readonly string[] = []
  let given = 0
  return {
    async hasMore(): Promise<boolean> {
      while (given === held.length) {
        const next = await iterator.next()
        if (next.done) return false
        held = next.value
        given = 0
      }
      return true
    },
    take(most: number): readonly string[] {
      const taken = held.slice(given, given + most)
      given += taken.length
      return taken
    },
    close: () => iterator.return?.(),
  }
}

async function* sheetXml(columns: readonly SheetColumn[], source: RowSource): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const titles = columns.map(({ title }) => inlineText(title, styles.title))
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${xlsxCells.row(titles)}`
  let rows = 1
  let characters = 0
  while (rows < mostRows && characters < mostCharacters && (await source.hasMore())) {
    const taken = source.take(Math.min(rowsPerText, mostRows - rows))
    const text = taken.join('')
    rows += taken.length
    characters += text.length
    yield text
  }
  yield '</sheetData></worksheet>'
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Returns the parts of a workbook other than its sheets; written last, when the number of sheets is known. */
function partsOf(sheets: readonly string[]): { name: string; text: string }[] {
  const each = (write: (number: number, name: string) => string) =>
    sheets.map((name, index) => write(index + 1, name)).join('')
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  return [
    {
      name: 'xl/styles.xml',
      text: `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf fontId="2" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    },
    {
      name: 'xl/workbook.xml',
      text: `<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets>${each((number, name) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="s${number}"/>`)}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: `<Relationships xmlns="${packages}/relationships">${each((number) => relation(`s${number}`, 'worksheet', `worksheets/sheet${number}.xml`))}${relation('styles', 'styles', 'styles.xml')}</Relationships>`,
    },
    {
      name: '_rels/.rels',
      text: `<Relationships xmlns="${packages}/relationships">${relation('workbook', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: '[Content_Types].xml',
      text: `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/>${each((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${media}.worksheet+xml"/>`)}</Types>`,
    },
  ].map(({ name, text }) => ({ name, text: declaration + text }))
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** Maximum number of characters of a cell, of Excel. */
const longestCell = 32_767

function inlineText(text: string, style: number): string {
  const value = text.length > longestCell ? `${text.slice(0, longestCell - 1).toWellFormed()}…` : text
  return `<c${style === styles.plain ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`
}

const epoch = Date.UTC(1899, 11, 30)
// Serial of 1 March 1900: before it, spreadsheets count a 29 February 1900 that did not exist.
const firstSerial = 61

/** Returns a date cell: days since 30 December 1899, with the time of day as a fraction. */
function dateCell(text: string, style: number): string {
  const serial = (Date.parse(text.length === 10 ? text : `${text}Z`) - epoch) / dayMs
  return serial < firstSerial ? inlineText(text, styles.plain) : `<c s="${style}"><v>${serial}</v></c>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them, so they are escaped here
const special = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9a-fA-F]{4}_/g

/**
 * Escapes a text for XML. Characters that XML does not allow become `_xHHHH_` (ECMA-376, 22.9.2.19), and the start of
 * text of that form is escaped too.
 */
function escapeXml(text: string): string {
  return text.replace(special, (found) => {
    const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[found]
    if (named) return named
    if (found.length > 1) return `_x005F${found}`
    return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  })
}
