// What a reader of sheets holds at once is the row that it is in, and a mark (a tag, a comment …) up to its end.

// No table of anybody's has such rows, and no spreadsheet writes such marks.
const longestRow = 1024 * 1024
const longestMark = 64 * 1024

/** Marks that end at the first of these, whatever stands in them; the longer ones first. */
const ends: readonly [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
  ['</', '>'],
]
const opening = /<(?:[^"'>]|"[^"]*"|'[^']*')*>/y
const rowBegins = /^<(?:[^\s:]*:)?row(?=[\s/>"'])/
const rowEnds = /^<\/(?:[^\s:]*:)?row\s*>$/

/**
 * Goes through a sheet, and keeps nothing of it.
 *
 * @throws Error as soon as a row is longer than a megabyte, or a mark than 64 kB
 */
export async function checkSheet(pieces: AsyncIterable<Buffer>): Promise<void> {
  let rest = ''
  /** How much stands before that, and where the row began, if we are in one. */
  let before = 0
  let rowAt: number | null = null
  for await (const piece of pieces) {
    rest += piece.toString('latin1')
    let at = rest.indexOf('<')
    for (let end = endOf(rest, at); end !== null; end = endOf(rest, at)) {
      const mark = rest.slice(at, end)
      if (rowBegins.test(mark)) rowAt = mark.endsWith('/>') ? null : before + at
      else if (rowEnds.test(mark)) rowAt = null
      at = rest.indexOf('<', end)
    }
    const read = at < 0 ? rest.length : at
    before += read
    rest = rest.slice(read)
    if (rest.length > longestMark) throw new Error('a mark of a sheet is too long')
    if (rowAt !== null && before - rowAt > longestRow) throw new Error('a row of a sheet is too long')
  }
}

/** Where the mark that begins there ends; null when it does not, or when there is none. */
function endOf(text: string, at: number): number | null {
  if (at < 0) return null
  const plain = ends.find(([start]) => text.startsWith(start, at))
  if (plain) {
    const [start, end] = plain
    const found = text.indexOf(end, at + start.length)
    return found < 0 ? null : found + end.length
  }
  opening.lastIndex = at
  return opening.test(text) ? opening.lastIndex : null
}
