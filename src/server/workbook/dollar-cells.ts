// Finds the cells of a workbook that show dollars only by their number format, not by their value.

import { tagsOf } from '#server/workbook/archive.ts'

/** Ids of the built-in currency formats, which programs show with a dollar sign (ECMA-376 18.8.30). */
const builtIn = new Set(['5', '6', '7', '8', '42', '44'])

/** @param xml the part `xl/styles.xml` @returns indices of the cell styles that show dollars */
export function dollarStyles(xml: string): Set<string> {
  const codes = new Map(tagsOf(xml, 'numFmt').map(({ numFmtId, formatCode = '' }) => [numFmtId, formatCode]))
  const showsDollars = ({ numFmtId = '0' }: Record<string, string>) => {
    const code = codes.get(numFmtId)
    return code === undefined ? builtIn.has(numFmtId) : isOfDollars(code)
  }
  const [, cellXfs = ''] = /<(?:\w+:)?cellXfs[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml) ?? []
  return new Set(tagsOf(cellXfs, 'xf').flatMap((style, at) => (showsDollars(style) ? [String(at)] : [])))
}

/** Whether a format shows dollars: `"$"#,##0.00`, `[$$-409]#,##0`, `#,##0 [$USD]`; not a locale alone (`[$-409]`). */
function isOfDollars(code: string): boolean {
  const shown = code
    .replaceAll(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/[_*]./g, '')
    .replaceAll(/["\\]/g, '')
  return /\$|USD|dollar/i.test(shown)
}

/** A row (from 1, as in spreadsheets) and the columns (from 0) of its cells in dollars. */
export type DollarsOfRow = { readonly row: number; readonly columns: ReadonlySet<number> }

/** Yields the rows of a sheet that have a cell in dollars, in order. @param pieces content of the checked sheet */
export async function* dollarsOf(
  pieces: AsyncIterable<Buffer>,
  styles: ReadonlySet<string>,
): AsyncGenerator<DollarsOfRow> {
  let rest = ''
  let row = 0
  for await (const piece of pieces) {
    rest += piece.toString('latin1')
    const last = /[\s\S]*<\/(?:\w+:)?row\s*>/.exec(rest)?.[0].length ?? 0
    for (const text of rest
      .slice(0, last)
      .split(/<\/(?:\w+:)?row\s*>/)
      .slice(0, -1)) {
      const begun = text.match(/<(?:\w+:)?row(?=[\s/>])[^>]*>/g) ?? []
      for (const tag of begun) row = Number(/\sr=["'](\d+)/.exec(tag)?.[1] ?? row + 1)
      const columns = columnsIn(text, styles)
      if (columns.size > 0) yield { row, columns }
    }
    rest = rest.slice(last)
  }
}

function columnsIn(row: string, styles: ReadonlySet<string>): Set<number> {
  const found = new Set<number>()
  let column = -1
  for (const [, attributes = ''] of row.matchAll(/<(?:\w+:)?c(?=[\s/>])([^>]*)>/g)) {
    const letters = /\sr=["']([A-Z]+)/.exec(attributes)?.[1]
    column = letters === undefined ? column + 1 : columnNumber(letters)
    if (styles.has(/\ss=["'](\d+)/.exec(attributes)?.[1] ?? '')) found.add(column)
  }
  return found
}

function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
