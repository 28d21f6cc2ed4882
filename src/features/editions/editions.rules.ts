import { addDays, dayInKinshasa } from '#shared/days.ts'

/** Days between the end of a month and its publication, to let the last prices be entered. */
export const settledDays = 3

/** Returns the last day of a month. @param month `yyyy-mm` */
export function endOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** Returns the last month that ended at least `settledDays` ago. @param today `yyyy-mm-dd` */
export function lastSettledMonth(today: string): string {
  const settled = addDays(today, -settledDays)
  return addDays(`${settled.slice(0, 7)}-01`, -1).slice(0, 7)
}

const monthNames = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const figures = new Intl.NumberFormat('fr-FR')

/** Returns for example `octobre 2026`. */
export function monthName(month: string): string {
  return monthNames.format(new Date(`${month}-01`))
}

export type Cited = {
  number: number
  month: string
  rows: number
  lastDay: string
  createdAt: string
  /** The hash of the Parquet file. */
  sha256: string
  /** The address of the page of editions. */
  url: string
}

/** Returns the citation of an edition: as text, as BibTeX, and as CSL-JSON, read by Zotero and others. */
export function citationOf({ number, month, rows, lastDay, createdAt, sha256, url }: Cited) {
  const [year = 0, monthNumber = 0, day = 0] = dayInKinshasa(createdAt).split('-').map(Number)
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
