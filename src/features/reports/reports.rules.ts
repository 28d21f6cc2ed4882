import { type SeriesFilter, seriesFilter } from '#features/figures/filters/filters.contract.ts'
import type { ReportBlock, Schedule } from '#features/reports/reports.contract.ts'
import { dayMs, hourMs } from '#shared/days.ts'

export const blockKinds = ['figures', 'chart', 'table', 'map', 'comparison', 'text', 'method'] as const
export type BlockKind = (typeof blockKinds)[number]

export const mostBlocks = 12
export const mostReports = 20
export const mostRecipients = 50

/** Names of blocks, on screen and as default titles. */
export const blockNames: Record<BlockKind, string> = {
  figures: 'Chiffres clés',
  chart: 'Courbe',
  table: 'Tableau des prix',
  map: 'Carte',
  comparison: 'Comparaison',
  text: 'Texte',
  method: 'Méthode',
}

/** Returns the period of a block, with its default. */
export function periodOfBlock({ kind, period }: Pick<ReportBlock, 'kind' | 'period'>): '30d' | '90d' | '1y' {
  return period ?? (kind === 'chart' || kind === 'comparison' ? '1y' : '30d')
}

/** Returns the selection of prices in a page's address, without days; null where it has none. */
export function selectionOfSearch(search: string): SeriesFilter | null {
  const { data } = seriesFilter.safeParse(Object.fromEntries(new URLSearchParams(search)))
  const isEmpty = !data || Object.values(data).every((value) => value === undefined)
  return isEmpty ? null : data
}

/** Kinshasa is one hour ahead of UTC all year round. */
const aheadMs = hourMs

/**
 * Returns the next instant of a schedule: an hour in Kinshasa, on a day of the week (1 is Monday) or of the month (1 to
 * 28).
 */
export function nextInstant({ frequency, day, hour }: Schedule, after: Date): Date {
  const local = new Date(after.getTime() + aheadMs)
  const at = (date: Date) => new Date(date.getTime() + hour * hourMs - aheadMs)
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()]
  if (frequency === 'monthly') {
    const first = at(new Date(Date.UTC(year, month, day)))
    return first > after ? first : at(new Date(Date.UTC(year, month + 1, day)))
  }
  const today = Date.UTC(year, month, local.getUTCDate())
  const ahead = (day - (local.getUTCDay() || 7) + 7) % 7
  const first = at(new Date(today + ahead * dayMs))
  return first > after ? first : at(new Date(today + (ahead + 7) * dayMs))
}

/** Returns whether two schedules name the same instants; null is without any. */
export function isSameTime(one: Schedule | null, other: Schedule | null): boolean {
  return one?.frequency === other?.frequency && one?.day === other?.day && one?.hour === other?.hour
}

export const weekDays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const

/** Returns « chaque lundi à 7 h », « le 1er du mois à 8 h ». */
export function scheduleText(schedule: Schedule | null): string {
  if (!schedule) return 'sans envoi automatique'
  const { frequency, day, hour } = schedule
  const when =
    frequency === 'weekly' ? `chaque ${weekDays[day - 1]}` : `le ${day === 1 ? '1er' : day} de chaque mois`
  return `${when} à ${hour}\u00a0h`
}

const block = (kind: BlockKind, given: Partial<ReportBlock> = {}): ReportBlock => ({
  kind,
  title: null,
  selection: {},
  period: null,
  text: null,
  ...given,
})

type NewReport = { title: string; blocks: ReportBlock[]; schedule: Schedule | null; recipients: string[] }

/** Returns a monthly bulletin of the whole country, ready to be sent. */
export function monthlyBulletin(): NewReport {
  return {
    title: 'Bulletin mensuel des prix',
    blocks: [
      block('figures', { title: 'Le mois en chiffres' }),
      block('chart', { title: 'L’ensemble des prix depuis un an' }),
      block('map', { title: 'Ce qui monte et ce qui baisse, par province' }),
      block('table', { title: 'Les prix les plus relevés' }),
      block('comparison', { title: 'Les mêmes prix depuis un an' }),
      block('method'),
    ],
    schedule: { frequency: 'monthly', day: 1, hour: 7, skipsUnchanged: true },
    recipients: [],
  }
}

/** Returns a new report: key figures, and the prices with most quotes. */
export function newBulletin(): NewReport {
  return {
    title: 'Nouveau rapport',
    blocks: [block('figures'), block('table')],
    schedule: null,
    recipients: [],
  }
}
