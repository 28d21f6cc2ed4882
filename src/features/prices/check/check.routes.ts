import { checkPrice } from '#features/prices/check/check.contract.ts'
import { isFarFromLast, isOutlier } from '#features/prices/check/check.rules.ts'
import { readCheckedSeries } from '#features/prices/check/check.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { invalidField } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'

export function priceCheckRoutes(api: Api, db: Db): void {
  api.on(checkPrice, async ({ query }) => {
    const [series] = await readCheckedSeries(db, [{ ...query, when: query.collectedAt }])
    if (!series) throw invalidField('marketId', 'Ce marché n’existe pas.')
    const { figures, price, lastPrice, lastInFrancs, duplicate } = series
    const { median, quotes } = figures
    const isDoubtful = isOutlier(price, figures) || isFarFromLast(price, lastInFrancs)
    return { isOutlier: isDoubtful, median, quotes, lastPrice, duplicate }
  })
}
