// A sheet reader holds the current row and the current markup (a tag, a comment …) in memory, so both are limited.

// In characters; real tables have shorter rows, and spreadsheets write shorter markup.
const longestRow = 1024 * 1024
const longestMark = 64 * 1024

/** Markup by its start, with the text that ends it; longer starts first. */
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
 * Reads a sheet without storing it, to check its limits.
 *
 * @throws Error as soon as a row exceeds one megabyte, or markup exceeds 64 kB
 */
export async function checkSheet(pieces: AsyncIterable<Buffer>): Promise<void> {
  let rest = ''
  /** Number of characters before `rest`, and the start of the current row, if any. */
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

/** Returns the end of the markup that starts at a position; null when it is incomplete or there is none. */
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
