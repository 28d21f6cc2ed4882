import { listActiveMarkets } from '#features/figures/activity/activity.sql.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import {
  asOfText,
  averagesOf,
  cutOffAt,
  isThinBasis,
  isThinMovement,
  isWithoutMargin,
  noChangeText,
  noTrendText,
  weekMark,
} from '#features/figures/summary/summary.rules.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { listOf, rowsOfFigures } from '#features/prices/listed.rules.ts'
import type { Links } from '#features/report/links.rules.ts'
import { exportStatistics } from '#features/report/report.contract.ts'
import { reportOf } from '#features/report/report.rules.ts'
import { listCategoryShelves, rankBrands } from '#features/statistics/shelves.sql.ts'
import { findCounted, readOverview, type Sources } from '#features/statistics/statistics.routes.ts'
import { withDays } from '#features/statistics/statistics.rules.ts'
import { findNames } from '#features/statistics/statistics.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { fileFormats, type Rows, sendAs } from '#server/exports.ts'
import { may } from '#server/http/actor.ts'
import type { Api } from '#server/http/endpoint.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import { drawReport } from '#server/report/report.ts'
import type { QueryOf } from '#shared/contract.ts'
import type { CellWriter } from '#shared/csv/write.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { moneyText } from '#shared/money.ts'

const sheet = {
  name: 'Statistiques',
  columns: [
    { title: 'Rubrique', width: 28 },
    { title: 'Élément', width: 28 },
    { title: 'Valeur', width: 18 },
    { title: 'Unité', width: 14 },
    { title: 'Définition', width: 60 },
    { title: 'Lien', width: 60 },
  ],
}

export function reportRoutes(
  api: Api,
  db: Db,
  {
    summarise,
    today: dayNow,
    viewsBundle,
    publicUrl,
  }: Sources & {
    /** The build of the views, which draws the charts. */
    viewsBundle: string
    /** The public address of the application; if null, that of the request is used. */
    publicUrl: string | null
  },
): void {
  api.on(exportStatistics, async (call) => {
    const { fileFormat, ...filters } = call.query
    const today = dayNow()
    const origin = siteOrigin(call.reply.request, publicUrl)
    const mayManageUsers = may(call.actor, 'users.manage')
    const read = () => readReport(db, filters, { today, origin, mayManageUsers, summarise })
    const stem = `statistiques-au-${today}`
    if (fileFormat === 'pdf') {
      call.reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${stem}.pdf"`,
      })
      // The response starts before the PDF is drawn, to meet the time limit of its first byte.
      return drawn(read, viewsBundle)
    }
    const report = await read()
    const format = fileFormats[fileFormat]
    sendAs(call, stem, format)
    return format.write(sheet, rowsOf(report, format.cells))
  })
}

/** Reads the content of the page of statistics for a selection, with its links, in one snapshot. */
export function readReport(
  db: Db,
  filters: Omit<QueryOf<typeof exportStatistics>, 'fileFormat'>,
  of: { today: string; origin: string; mayManageUsers: boolean; summarise: Sources['summarise'] },
): Promise<DrawnReport> {
  const asked = withDays(filters, of.today)
  const links = {
    ...linksTo(of.origin, asked),
    users: of.mayManageUsers ? `${of.origin}/users` : null,
  }
  return readTogether(db, (snapshot) => readReportParts(snapshot, asked, { ...of, links }))
}

async function readReportParts(
  db: Db,
  asked: PriceFilter,
  { today, links, summarise }: { today: string; links: Links; summarise: Sources['summarise'] },
): Promise<DrawnReport> {
  const counted = await findCounted(db, asked)
  const { parts } = counted
  const summary = await summarise(db, asked, today, parts ?? undefined)
  const markets = await listActiveMarkets(db, parts ?? [], null, 5)
  const freshFrom = addDays(today, -30)
  const isOld = !summary.lastCollectedAt || dayInKinshasa(summary.lastCollectedAt) < freshFrom
  const isFaint = isThinBasis(summary) || isOld
  return reportOf({
    today,
    links,
    isFaint,
    isOld,
    overview: await readOverview(db, asked, counted, today),
    summary,
    noTrend: summary.change
      ? noTrendText(summary.change, summary.priceTrend, summary.knownSeries === 1)
      : noChangeText(summary, { day: dayText, amount: (cdf) => moneyText(cdf, 'CDF'), percent: percentText }),
    asOf: asOfText(summary.asOf, momentText),
    interval: intervalOf(summary.change),
    weekMark: summary.change ? weekMark(summary.change.to, today) : '',
    isChangeFaint:
      isOld || isThinMovement(summary) || (summary.change !== null && isWithoutMargin(summary.change)),
    isCutOff: cutOffAt(summary) !== null,
    averages: averagesOf(summary.dailyPrices),
    markets: markets.map((market) => ({ ...market, isFaint: (market.lastCollectedOn ?? '') < freshFrom })),
    categories: await listCategoryShelves(db, asked, parts),
    brands: await rankBrands(db, { ...asked, limit: 200 }, parts),
    filters: await findNames(db, asked),
  })
}

/** Returns the addresses of the lists of rows behind the figures of a selection. */
function linksTo(origin: string, asked: PriceFilter): Omit<Links, 'users'> {
  return {
    prices: (more = {}) => origin + listOf({ ...rowsOfFigures(asked), ...more }),
    at: (path) => origin + path,
    chosen: asked,
  }
}

async function* rowsOf({ lines, sections }: DrawnReport, cells: CellWriter): Rows {
  const blank = cells.text(null)
  yield lines.map((line) => cells.row([cells.text('Rapport'), cells.text(line), blank, blank, blank, blank]))
  for (const { title, unit: shared, definition, rowsBehind, rows } of sections) {
    yield rows.map(({ name, value, unit = shared, href = rowsBehind?.href ?? null }) =>
      cells.row([
        cells.text(title),
        cells.text(name),
        // Rounded only here: 100,447 rounded twice would become 100,5 in the drawing.
        cells.number(value === null ? null : String(Math.round(value * 100) / 100)),
        cells.text(unit),
        cells.text(definition),
        href === null ? blank : cells.link(href),
      ]),
    )
  }
}

async function* drawn(read: () => Promise<DrawnReport>, viewsBundle: string) {
  yield await drawReport(await read(), viewsBundle)
}

/** Returns the ends of the interval of a change, as fractions; null if it cannot be measured. */
function intervalOf(change: { value: number; margin: number | null } | null): number[] | null {
  if (!change || change.margin === null) return null
  const { value, margin } = change
  return percentInterval({ value, margin }).map((end) => end / 100)
}

function dayText(day: string): string {
  return new Intl.DateTimeFormat('fr-FR', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
}

function percentText(percent: number): string {
  const form = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return new Intl.NumberFormat('fr-FR', form).format(percent / 100)
}

/** Returns for example « 26 nov. 2026, 14:32 », in Kinshasa. */
function momentText(instant: string): string {
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Kinshasa' } as const
  return new Intl.DateTimeFormat('fr-FR', form).format(new Date(instant))
}
