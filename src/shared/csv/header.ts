import { recordReader } from '#shared/csv/records.ts'

/** Detects the format of a file that is not CSV in UTF-8 by its first bytes; null when they are not decisive. */
export function foreignFormat(start: Uint8Array): 'utf-16' | 'zip' | 'ole' | 'gzip' | 'document' | null {
  const signature = signatures.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte))
  if (signature) return signature.format
  // In UTF-16, one of the two bytes of an ASCII letter is NUL.
  return start[0] === 0 || start[1] === 0 ? 'utf-16' : null
}

const signatures = [
  { bytes: [0xff, 0xfe], format: 'utf-16' },
  { bytes: [0xfe, 0xff], format: 'utf-16' },
  // An XLSX workbook; an XLS workbook (before 2007), or one protected by a password.
  { bytes: [0x50, 0x4b, 0x03, 0x04], format: 'zip' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], format: 'ole' },
  { bytes: [0x1f, 0x8b], format: 'gzip' },
  // PDF, PNG, JPEG.
  { bytes: [0x25, 0x50, 0x44, 0x46], format: 'document' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], format: 'document' },
  { bytes: [0xff, 0xd8, 0xff], format: 'document' },
] as const

export const notUtf8 =
  'Ce fichier n’est pas en UTF-8 (il est sans doute en Windows-1252). Enregistrez-le en «\u202fCSV UTF-8\u202f», puis recommencez.'
/** Note of the report on a file that was read as Windows-1252. */
export const readAsLegacy = 'Fichier lu en Windows-1252\u00a0: vérifiez ses accents.'
export const utf16 = 'Ce fichier est en UTF-16. Enregistrez-le en «\u202fCSV UTF-8\u202f», puis recommencez.'
export const gzipped = 'Ce fichier est compressé (gzip). Décompressez-le, puis recommencez.'
export const noTable =
  'Ce fichier est une image ou un PDF, pas un tableau. Envoyez un CSV en UTF-8 ou un classeur Excel (XLSX).'
export const oldWorkbook =
  'Ce classeur est d’un ancien format (XLS) ou protégé par un mot de passe. Enregistrez-le en «\u202fClasseur Excel (XLSX)\u202f», sans mot de passe.'
export const oldLineEnds =
  'Ce fichier a les fins de ligne des anciens Macintosh. Enregistrez-le en «\u202fCSV UTF-8\u202f», puis recommencez.'

/**
 * Whether a line may precede the header: an empty row, or the `sep=` line with which spreadsheets declare the
 * separator.
 */
export function isAboveTitles(text: string): boolean {
  return /^[\s;,]*$|^"?sep=.[";,\s]*$/i.test(text)
}

/**
 * Whether a row is the line of HXL tags (`#date`, `#adm1+name` …) that humanitarian data files have below the header.
 */
export function isTagLine(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => cell.startsWith('#')) && cells.every((cell) => cell === '' || cell.startsWith('#'))
  )
}

/** Returns the normalised column titles of a header line, without the empty ones that spreadsheets add at the end. */
export function titlesOf(text: string, separator: string): string[] {
  const [record] = recordReader(separator, Number.POSITIVE_INFINITY).take({ line: 1, text })
  return trimmedTitles(record && 'cells' in record ? record.cells : text.split(separator))
}

/** Returns the normalised column titles of a row that is already split into cells. */
export function trimmedTitles(cells: readonly string[]): string[] {
  const titles = cells.map(comparedTitle)
  return titles.slice(0, titles.findLastIndex((title) => title !== '') + 1)
}

/**
 * Combines a header of two lines, as merged cells produce: `grouped` has each lower title prefixed by its group;
 * `completed` has the lower title, or the upper one when the lower is blank.
 */
export function joinedTitles(
  upper: readonly string[],
  lower: readonly string[],
): { grouped: string[]; completed: string[] } {
  const pairs = Array.from({ length: Math.max(upper.length, lower.length) }, (_, at) => ({
    above: (upper[at] ?? '').trim(),
    below: (lower[at] ?? '').trim(),
  }))
  let group = ''
  return {
    grouped: pairs.map(({ above, below }) => {
      if (above !== '') group = below === '' ? '' : above
      return below === '' ? above : `${group} ${below}`.trim()
    }),
    completed: pairs.map(({ above, below }) => below || above),
  }
}

// A mapping accepts titles of at most 500 characters; « (2) » after an equal title counts too.
const longestTitle = 450

/**
 * Makes titles distinct: a repeated title gets its occurrence number, a blank one its column number. Long ones are cut,
 * and have no character that the database cannot store.
 */
export function distinctTitles(titles: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return titles.map((title, at) => {
    const shown = storedStart(title.trim(), longestTitle).trim() || `Colonne ${at + 1}`
    const count = (seen.get(comparedTitle(shown)) ?? 0) + 1
    seen.set(comparedTitle(shown), count)
    return count === 1 ? shown : `${shown} (${count})`
  })
}

/** Returns the first `max` characters of a text, without NUL and halves of characters, which cannot be stored. */
export function storedStart(text: string, max: number): string {
  return text.slice(0, max).replace(/\0|\p{Surrogate}/gu, ' ')
}

/** Normalises a column title for comparison: spreadsheets add quotes, change the case and straighten apostrophes. */
export function comparedTitle(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll("'", '’')
}

/** Returns the first title that occurs twice, ignoring blank ones. */
export function firstRepeated(titles: readonly string[]): string | undefined {
  const seen = new Set([''])
  return titles.find((title) => title !== '' && seen.size === seen.add(title).size)
}
