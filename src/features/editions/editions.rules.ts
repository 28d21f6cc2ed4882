import { addDays } from '#shared/days.ts'

/** Which edition of the method the definitions of the files follow. */
export const methodEdition = 'troisième édition'

/** So many days after its end is a month published: what was seen on its last day is written by then. */
export const settledDays = 3

/** The last day of a month. @param month `yyyy-mm` */
export function endOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** The last month that has been over for so many days. @param today `yyyy-mm-dd` */
export function lastSettledMonth(today: string): string {
  const settled = addDays(today, -settledDays)
  return addDays(`${settled.slice(0, 7)}-01`, -1).slice(0, 7)
}

const monthNames = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const figures = new Intl.NumberFormat('fr-FR')

/** `octobre 2026` */
export function monthName(month: string): string {
  return monthNames.format(new Date(`${month}-01`))
}

export type Cited = {
  number: number
  month: string
  rows: number
  lastDay: string
  createdAt: string
  /** Of the Parquet file. */
  sha256: string
  /** Where editions are. */
  url: string
}

/** How an edition is cited: in words, for BibTeX, and as CSL-JSON, which Zotero and others read. */
export function citationOf({ number, month, rows, lastDay, createdAt, sha256, url }: Cited) {
  const [year = 0, monthNumber = 0, day = 0] = createdAt.slice(0, 10).split('-').map(Number)
  const title = `Prix des marchés de la RD Congo, édition ${number}\u00a0: ${monthName(month)}`
  const note = `${figures.format(rows)} relevés jusqu’au ${longDay.format(new Date(lastDay))}. SHA-256 (Parquet)\u00a0: ${sha256}`
  return {
    text: `Ntalo (${year}). ${title} [jeu de données]. ${note}. ${url}`,
    bibtex: [
      `@misc{ntalo-${number},`,
      '  author = {{Ntalo}},',
      `  title = {${title.replace('\u00a0', ' ')}},`,
      `  year = {${year}},`,
      `  month = {${monthNumber}},`,
      '  howpublished = {Jeu de données},',
      `  note = {${note.replaceAll(/[\u00a0\u202f]/g, ' ')}},`,
      `  url = {${url}}`,
      '}',
    ].join('\n'),
    csl: {
      id: `ntalo-${number}`,
      type: 'dataset',
      title,
      author: [{ literal: 'Ntalo' }],
      publisher: 'Ntalo',
      version: String(number),
      issued: { 'date-parts': [[year, monthNumber, day]] },
      note,
      URL: url,
    },
  }
}
