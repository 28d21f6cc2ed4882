import { weekMeans } from '#features/comparison/comparison.rules.ts'
import { readSeriesDays } from '#features/comparison/comparison.sql.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { monthWindows, movementOfQuotes } from '#features/follows/follows.rules.ts'
import { series } from '#features/series/series.contract.ts'
import { weeksOfSeries } from '#features/series/series.rules.ts'
import {
  findPricedSeries,
  listPricedSeries,
  listQuotesSince,
  listUsualGaps,
} from '#features/series/series.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError, invalidField } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'
import { firstCursor } from '#shared/changes.ts'
import { addDays, mondayOf } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

export function seriesRoutes(api: Api, db: Db, today: () => string): void {
  api.on(series.list, async ({ query: { cursor, limit, ...chosen } }) => {
    const rows = await listPricedSeries(db, { ...chosen, after: placeAt(cursor), limit: limit + 1 })
    const data = rows.slice(0, limit)
    const last = data.at(-1)
    return { data, cursor: last ? cursorAt(last) : null, hasMore: rows.length > limit }
  })

  api.on(series.find, ({ params: { product, market } }) =>
    readTogether(db, async (snapshot) => {
      const place = { productId: product, marketId: market }
      const found = await findPricedSeries(snapshot, place)
      if (!found) throw new AppError('not_found', 'Ce produit ou ce marché n’existe pas.')
      const days = await readSeriesDays(snapshot, [place], undefined)
      const counts = groupBy(days, ({ date }) => mondayOf(date))
      const quoted = weekMeans(days).map(({ week, log }) => ({
        week,
        log,
        quotes: (counts.get(week) ?? []).reduce((sum, { count }) => sum + count, 0),
      }))
      const quotes = await listQuotesSince(snapshot, place, monthWindows(today()).before.start)
      const { change, trend } = movementOfQuotes(quotes, today())
      return { ...found, weeks: weeksOfSeries(quoted, today()), change, trend }
    }),
  )

  api.on(series.gaps, async ({ params: { product, market } }) => ({
    data: await listUsualGaps(db, { productId: product, marketId: market }, addDays(today(), -yearDays)),
  }))
}

const yearDays = 364

type Place = { productId: number; marketId: number }

function cursorAt({ marketId, productId }: Place): string {
  return Buffer.from(`${marketId}.${productId}`).toString('base64url')
}

function placeAt(cursor: string | undefined): Place {
  if (cursor === undefined || cursor === firstCursor) return { productId: 0, marketId: 0 }
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, marketId, productId] = /^(\d{1,10})\.(\d{1,10})$/.exec(text) ?? []
  if (productId === undefined)
    throw invalidField('cursor', 'Ce curseur est inconnu\u00a0: recommencez sans lui.')
  return { productId: Number(productId), marketId: Number(marketId) }
}
