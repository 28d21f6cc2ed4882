import { asIndex, firstCommonDay, weekMeans } from '#features/comparison/comparison.rules.ts'
import { readSeriesDays } from '#features/comparison/comparison.sql.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { windowsOf } from '#features/figures/summary/summary.rules.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { readMap } from '#features/map/map.routes.ts'
import type { MapMeasure } from '#features/map/map.rules.ts'
import { listOf, rowsOfFigures } from '#features/prices/listed.rules.ts'
import { frenchDay } from '#features/report/report.rules.ts'
import { listSeriesOf } from '#features/reports/blocks/blocks.sql.ts'
import {
  changeFiguresOf,
  curveSection,
  methodOf,
  pricesOf,
  provincesOf,
  type Said,
  type Windows,
} from '#features/reports/blocks/sections.rules.ts'
import type { ReportBlock } from '#features/reports/reports.contract.ts'
import { blockNames, periodOfBlock } from '#features/reports/reports.rules.ts'
import { withDays } from '#features/statistics/statistics.rules.ts'
import { findNames } from '#features/statistics/statistics.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'

export type Reading = {
  summarise: (db: Db, filter: PriceFilter, today: string) => Promise<PriceSummary>
  /** `yyyy-mm-dd` */
  today: string
  /** Base address of the site. */
  origin: string
}

/** Maximum number of series in a table, and of lines in a comparison. */
const most = { series: 20, lines: 4 }

/** Returns the content of a report with the figures of a day, all blocks read in one snapshot. */
export function readBulletin(
  db: Db,
  { title, blocks }: { title: string; blocks: readonly ReportBlock[] },
  reading: Reading,
): Promise<DrawnReport> {
  return readTogether(db, async (snapshot) => {
    const sections: DrawnReport['sections'][number][] = []
    for (const block of blocks) sections.push(await readBlock(snapshot, block, reading))
    return {
      title,
      lines: sourceLines(reading),
      sections,
    }
  })
}

/** Returns the lines that give the day and the source of the figures. */
export function sourceLines({ today, origin }: Reading): string[] {
  return [`Établi le ${frenchDay(today)}`, `Source\u00a0: Ntalo. Définitions\u00a0: ${origin}/methode`]
}

async function readBlock(
  db: Db,
  block: ReportBlock,
  reading: Reading,
): Promise<DrawnReport['sections'][number]> {
  const { kind, title, text } = block
  if (kind === 'text')
    return {
      title: title ?? blockNames.text,
      drawn: 'text',
      unit: '',
      rows: [],
      rowsBehind: null,
      definition: text ?? '',
    }
  const selection: PriceFilter = withDays(
    { ...block.selection, period: kind === 'method' ? '30d' : periodOfBlock(block) } as PriceFilter,
    reading.today,
  )
  return readSection(db, { kind, title: title ?? blockNames[kind], selection }, reading)
}

type Wanted = {
  kind: Exclude<ReportBlock['kind'], 'text'>
  title: string
  selection: PriceFilter
  /** What a map shows; by default the level of one product, and the change of several. */
  measure?: MapMeasure | undefined
}

/** Returns the section of a block for the prices of a selection with days. */
export async function readSection(
  db: Db,
  { kind, title, selection, measure }: Wanted,
  reading: Reading,
): Promise<DrawnReport['sections'][number]> {
  const names = await findNames(db, selection)
  const said = await sayOf(db, { kind, selection, measure }, reading)
  const whole = names.length > 0 ? names.join(', ') : 'Tous les produits, tous les marchés'
  return {
    ...said,
    title,
    definition: kind === 'method' ? said.definition : `${whole}. ${said.definition}`,
    rowsBehind:
      kind === 'method'
        ? { text: 'Toute la méthode', href: `${reading.origin}/methode` }
        : { text: 'Voir les relevés', href: reading.origin + listOf(rowsOfFigures(selection)) },
  }
}

async function sayOf(
  db: Db,
  { kind, selection, measure }: Omit<Wanted, 'title'>,
  { summarise, today }: Reading,
): Promise<Said> {
  const windows = { today, month: windowsIn(today, 30), year: windowsIn(today, 365) }
  switch (kind) {
    case 'figures':
      return changeFiguresOf(await summarise(db, selection, today), today)
    case 'chart':
      return curveSection(await summarise(db, selection, today))
    case 'method':
      return methodOf(await summarise(db, selection, today))
    case 'table':
      return pricesOf(await listSeriesOf(db, selection, { ...windows, limit: most.series }), windows)
    case 'map':
      return provincesOf(
        await readMap(db, { ...selection, period: '30d' }, today),
        selection.productId !== undefined && measure !== 'change',
      )
    case 'comparison':
      return compared(db, selection, windows)
  }
}

/** Returns the chart of the series with most quotes: in francs for one product, as indices for several. */
async function compared(
  db: Db,
  selection: PriceFilter,
  windows: { today: string; month: Windows; year: Windows },
): Promise<Said> {
  const series = await listSeriesOf(db, selection, { ...windows, limit: most.lines })
  const keys = series.map(({ product, market }) => ({ productId: product.id, marketId: market.id }))
  const { startDate = addDays(windows.today, -364) } = selection
  const days = keys.length > 0 ? await readSeriesDays(db, keys, startDate) : []
  const isOfOne = new Set(keys.map(({ productId }) => productId)).size <= 1
  const points = keys.map(({ productId, marketId }) =>
    weekMeans(days.filter((day) => day.productId === productId && day.marketId === marketId)).map(
      ({ week, log }) => ({ date: week, value: Math.exp(log) }),
    ),
  )
  const base = firstCommonDay(points)
  const isOfOneMarket = new Set(keys.map(({ marketId }) => marketId)).size <= 1
  return {
    drawn: 'line',
    unit: isOfOne ? 'FC' : '',
    rows: [],
    definition: `${isOfOne ? 'Moyenne de chaque semaine, en francs' : `Indice du prix moyen de chaque semaine, 100 ${base ? `la semaine du ${frenchDay(base)}` : 'à la première'}`}. Un long silence reste un trou.`,
    lines: series.map(({ product, market }, at) => ({
      name: isOfOne
        ? `${market.name}, ${market.location}`
        : [`${product.name}, ${product.weight}`, ...(isOfOneMarket ? [] : [market.name])].join(', '),
      rows: (isOfOne ? (points[at] ?? []) : asIndex(points[at] ?? [], base)).map(({ date, value }) => ({
        name: date,
        value: isOfOne ? Math.round(value) : Math.round(10 * value) / 10,
      })),
    })),
  }
}

/** Returns the windows of the change over `days` days that end today. */
function windowsIn(today: string, days: number): Windows {
  const windows = windowsOf({ start: addDays(today, 1 - days), end: today }, false)
  if (!windows) throw new Error('the windows of a change do not overlap in 30 days or more')
  return windows
}
