import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import type { CityPrice, PublicFigures } from '#features/landing/landing.contract.ts'
import { publicFreshDays } from '#features/public-prices/public-prices.rules.ts'
import { addDays, dayInKinshasa, lengthInDays } from '#shared/days.ts'
import {
  formatCount,
  formatDate,
  formatInterval,
  formatMoney,
  formatNumber,
  formatPercent,
} from '#web/format.ts'

/** Shows four products in four cities, three on a phone: the last price, and its change or its age. */
export function LastPrices({ figures }: { figures: PublicFigures }) {
  const { latest, totals } = figures
  const today = dayInKinshasa(figures.madeAt)
  return (
    <div className="min-w-0 rounded-md border border-line bg-surface shadow-float">
      <h2 className="border-b border-line px-3 py-2 text-base sm:px-4 sm:py-3 font-semibold">
        Derniers prix
      </h2>
      <table className="w-full table-fixed">
        <thead>
          <tr className="border-b border-line text-xs text-ink-soft">
            <th scope="col" className="w-9/25 py-1.5 pl-3 sm:w-3/10 sm:pl-4 text-left font-medium">
              Produit
            </th>
            {latest.cities.map((city, column) => (
              <th
                key={city}
                scope="col"
                className={`px-1 py-1.5 text-right font-medium last:pr-4 max-sm:nth-4:pr-3 wrap-anywhere ${onlyWide(column)}`}
              >
                {city}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {latest.rows.map(({ product, prices }) => (
            <tr key={product.id} className="border-b border-line">
              <th scope="row" className="py-1.5 pl-3 text-left font-normal sm:pl-4">
                <a
                  href={`/produits/${product.id}`}
                  className="inline-block py-0.5 font-medium wrap-anywhere underline decoration-line-strong hover:decoration-river"
                >
                  {product.name}
                </a>
                <span className="block text-xs text-ink-soft">{product.weight}</span>
              </th>
              {prices.map((price, column) => (
                <td
                  key={latest.cities[column]}
                  className={`px-1 py-1.5 text-right align-top last:pr-4 max-sm:nth-4:pr-3 ${onlyWide(column)}`}
                >
                  {price ? <Price price={price} today={today} /> : <NoPrice />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="flex flex-wrap items-baseline gap-x-3 px-3 py-1 text-sm sm:gap-x-4 sm:px-4 sm:py-2">
        <a href="/produits" className="inline-block py-1 text-river underline">
          {formatCount(totals.products, 'produit', 'produits')}
        </a>
        <a href="/marches" className="inline-block py-1 text-river underline">
          {formatCount(totals.markets, 'marché', 'marchés')}
        </a>
        <a href="/methode" className="ml-auto inline-block py-1 text-xs text-ink-soft underline">
          FC, sur 30&nbsp;jours
        </a>
      </p>
    </div>
  )
}

const phoneCities = 3

function onlyWide(column: number): string {
  return column < phoneCities ? '' : 'max-sm:hidden'
}

function Price({ price, today }: { price: CityPrice; today: string }) {
  const { priceValue, currency, observedOn, market } = price
  const age = lengthInDays({ start: observedOn, end: today }) - 1
  const isOld = observedOn < addDays(today, -publicFreshDays)
  return (
    <>
      <span
        className={`block font-semibold whitespace-nowrap ${isOld ? 'text-grey' : ''}`}
        title={`${market.name}, ${market.location}, le ${formatDate(observedOn)}`}
      >
        {currency === 'CDF' ? formatNumber(priceValue) : formatMoney(priceValue, currency)}
      </span>
      <span className="block text-xs">
        {isOld ? (
          <span className="whitespace-nowrap text-ochre">{`${formatNumber(age)}\u00a0jours`}</span>
        ) : (
          <Change price={price} />
        )}
      </span>
    </>
  )
}

const words = { up: 'hausse', down: 'baisse', stable: 'stable' } as const
const colours = { up: 'text-red', down: 'text-green', stable: 'text-ink-soft' } as const

/** Shows a change as a number only if it has a trend; otherwise a word says why not. */
function Change({ price: { change, trend } }: { price: CityPrice }) {
  if (!change) return <span className="text-ink-soft">peu de relevés</span>
  if (trend === 'stable') return <span className="text-ink-soft">stable</span>
  const { value, margin } = change
  const interval =
    margin === null ? undefined : formatInterval(100 * value, percentInterval({ value, margin }))
  if (trend === null)
    return (
      <span className="text-ink-soft" title={interval}>
        incertain
      </span>
    )
  return (
    <span
      className={`font-medium whitespace-nowrap ${change.isThin ? 'text-ink-soft' : colours[trend]}`}
      title={interval}
    >
      {formatPercent(100 * value)}
      <span className="sr-only">{` (${words[trend]})`}</span>
    </span>
  )
}

function NoPrice() {
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">Aucun relevé</span>
    </>
  )
}
