import { checkPrice } from '#features/prices/check/check.contract.ts'
import { isOutlier } from '#features/prices/check/check.rules.ts'
import { readCheckedSeries } from '#features/prices/check/check.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { invalidField } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'

export function priceCheckRoutes(api: Api, db: Db): void {
  api.on(checkPrice, async ({ query }) => {
    const series = await readCheckedSeries(db, query)
    if (!series) throw invalidField('marketId', 'Ce marché n’existe pas.')
    const { figures, price, lastPrice, duplicate } = series
    const { median, quotes } = figures
    return { isOutlier: isOutlier(price, figures), median, quotes, lastPrice, duplicate }
  })
}
