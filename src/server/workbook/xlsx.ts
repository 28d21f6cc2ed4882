// Workbooks written as a stream (ECMA-376, part 1): rows go out as they come, texts stand in their own cells.

import { type ZipEntry, zip } from '#server/workbook/zip.ts'
import { dayMs } from '#shared/days.ts'

export type Sheet = {
  /** At most 25 characters, without any of `:\/?*[]`. */
  readonly name: string
  readonly columns: readonly SheetColumn[]
}

/** A title, and a width in characters. */
export type SheetColumn = { readonly title: string; readonly width: number }

const empty = '<c/>'
const styles = { plain: 0, title: 1, day: 2, instant: 3, amount: 4, link: 5 }
/** Characters of a text in a formula: a limit of the format. */
const longestAddress = 255

/** The cells of a workbook, each of its type; null is an empty one. */
export const xlsxCells = {
  /** A text stays a text, however much it looks like a formula or a number. */
  text: (value: string | null) => (value === null ? empty : inlineText(value, styles.plain)),
  /** @param decimal plain digits, with a point */
  number: (decimal: string | null) => (decimal === null ? empty : `<c><v>${decimal}</v></c>`),
  /** The same, shown with two decimals. */
  amount: (decimal: string) => `<c s="${styles.amount}"><v>${decimal}</v></c>`,
  /** An address to follow; one too long for a formula is a text. */
  link: (href: string) =>
    href.length > longestAddress
      ? inlineText(href, styles.plain)
      : `<c s="${styles.link}" t="str"><f>HYPERLINK("${escapeXml(href.replaceAll('"', '%22'))}")</f><v>${escapeXml(href)}</v></c>`,
  /** @param day `yyyy-mm-dd` */
  day: (day: string) => dateCell(day, styles.day),
  /** @param local what a clock showed, `yyyy-mm-ddThh:mm:ss`; a cell knows no time zone */
  instant: (local: string) => dateCell(local, styles.instant),
  row: (cells: readonly string[]) => `<row>${cells.join('')}</row>`,
}

/**
 * So many rows of a file are joined to one text. Texts of more than 128 kB are kept until all memory is gone through: in
 * longer ones a file of 100 000 rows held twelve megabytes more.
 */
export const rowsPerText = 50
/** Rows of a sheet, with its titles: a limit of the format. */
const mostRows = 1_048_576
/** Keeps a sheet well below what an entry of an archive can hold. */
const mostCharacters = 1_000_000_000

/**
 * A workbook with one sheet, and more of them when the rows are too many for one.
 *
 * @param batches rows, as `xlsxCells.row` makes them
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

/** Gives out the rows of batches in runs no longer than wanted. */
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

/** What a workbook has beside its sheets; written last, once they are counted. */
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

function inlineText(value: string, style: number): string {
  return `<c${style === styles.plain ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`
}

const epoch = Date.UTC(1899, 11, 30)
// Before March 1900, spreadsheets count a day that never was.
const firstSerial = 61

/** Days since 30 December 1899, the time of day as their fraction. */
function dateCell(text: string, style: number): string {
  const serial = (Date.parse(text.length === 10 ? text : `${text}Z`) - epoch) / dayMs
  return serial < firstSerial ? inlineText(text, styles.plain) : `<c s="${style}"><v>${serial}</v></c>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them, so that they are escaped here
const special = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9a-fA-F]{4}_/g

/** What XML cannot hold is written `_xHHHH_` (ECMA-376, 22.9.2.19), and so is the start of a text that reads like that. */
function escapeXml(text: string): string {
  return text.replace(special, (found) => {
    const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[found]
    if (named) return named
    if (found.length > 1) return `_x005F${found}`
    return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  })
}
