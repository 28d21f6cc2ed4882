import { priceAddresses } from '#features/prices/prices.addresses.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'

/** Only the last prices of a curve are checked. */
const mostRead = 100

type DoubtfulPricesProps = { query: Record<string, string | number | undefined> }

/** Lists the prices of a one-series curve that wait for review; empty where there is none. */
export function DoubtfulPrices({ query }: DoubtfulPricesProps) {
  const isSeries = query.productId !== undefined && query.marketId !== undefined
  const { data } = useAnswer<typeof prices.list>(
    priceAddresses.list,
    { query: { ...query, limit: mostRead } },
    { enabled: isSeries },
  )
  const doubtful = isSeries ? (data?.data.filter(({ isUnderReview }) => isUnderReview) ?? []) : []
  if (doubtful.length === 0) return null
  const said = doubtful.map(
    ({ priceValue, currency, observedOn }) =>
      `${formatMoney(priceValue, currency)} le ${formatDate(observedOn)}`,
  )
  return (
    <p className="text-sm font-medium text-amber">
      {`À vérifier\u00a0: ${said.join(', ')}. La courbe peut changer.`}
    </p>
  )
}
