import { recordReader } from '#shared/csv/records.ts'

/** What a file that is no CSV in UTF-8 is, by its first bytes; null when they do not tell. */
export function foreignFormat(start: Uint8Array): 'utf-16' | 'zip' | 'ole' | 'gzip' | 'document' | null {
  const signature = signatures.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte))
  if (signature) return signature.format
  // Half of the bytes of our letters are NUL there.
  return start[0] === 0 || start[1] === 0 ? 'utf-16' : null
}

const signatures = [
  { bytes: [0xff, 0xfe], format: 'utf-16' },
  { bytes: [0xfe, 0xff], format: 'utf-16' },
  // A workbook of today, and one of before 2007 or behind a password.
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
/** What a report says of such a file that was read all the same. */
export const readAsLegacy = 'Fichier lu en Windows-1252\u00a0: vérifiez ses accents.'
export const utf16 = 'Ce fichier est en UTF-16. Enregistrez-le en «\u202fCSV UTF-8\u202f», puis recommencez.'
export const gzipped = 'Ce fichier est compressé (gzip). Décompressez-le, puis recommencez.'
export const noTable =
  'Ce fichier est une image ou un PDF, pas un tableau. Envoyez un CSV en UTF-8 ou un classeur Excel (XLSX).'
export const oldWorkbook =
  'Ce classeur est d’un ancien format (XLS) ou protégé par un mot de passe. Enregistrez-le en «\u202fClasseur Excel (XLSX)\u202f», sans mot de passe.'
export const oldLineEnds =
  'Ce fichier a les fins de ligne des anciens Macintosh. Enregistrez-le en «\u202fCSV UTF-8\u202f», puis recommencez.'

/** Whether a line may stand above the titles: an empty row, or the separator as spreadsheets tell it to one another. */
export function isAboveTitles(text: string): boolean {
  return /^[\s;,]*$|^"?sep=.[";,\s]*$/i.test(text)
}

/** The line of HXL tags (`#date`, `#adm1+name` …) that files of the humanitarian exchange carry below the titles. */
export function isTagLine(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => cell.startsWith('#')) && cells.every((cell) => cell === '' || cell.startsWith('#'))
  )
}

/** The titles of the line that names the columns, as they are compared; spreadsheets put empty ones behind the last. */
export function titlesOf(text: string, separator: string): string[] {
  const [record] = recordReader(separator, Number.POSITIVE_INFINITY).take({ line: 1, text })
  return trimmedTitles(record && 'cells' in record ? record.cells : text.split(separator))
}

/** The same of titles that stand apart already. */
export function trimmedTitles(cells: readonly string[]): string[] {
  const titles = cells.map(comparedTitle)
  return titles.slice(0, titles.findLastIndex((title) => title !== '') + 1)
}

/**
 * Titles that stand on two lines, as merged cells make them: `grouped`, each behind the group that it stands under, as a line
 * of groups has them; `completed`, those of the lower line alone, and of the upper one where it leaves a blank.
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

/** Distinct titles: one that stands twice gets its number, a blank one its place. */
export function distinctTitles(titles: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return titles.map((title, at) => {
    const shown = title.trim() || `Colonne ${at + 1}`
    const count = (seen.get(comparedTitle(shown)) ?? 0) + 1
    seen.set(comparedTitle(shown), count)
    return count === 1 ? shown : `${shown} (${count})`
  })
}

/** A column's title as titles are compared: spreadsheets quote them, change their case, and straighten apostrophes. */
export function comparedTitle(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll("'", '’')
}

/** The first title that stands twice, blank ones aside. */
export function firstRepeated(titles: readonly string[]): string | undefined {
  const seen = new Set([''])
  return titles.find((title) => title !== '' && seen.size === seen.add(title).size)
}
