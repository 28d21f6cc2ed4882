import {
  ChangeText,
  isFaintPrice,
  marginText,
  untoldEnd,
  weeksText,
} from '#features/landing/change-text.view.tsx'
import type { Move, PublicFigures } from '#features/landing/landing.contract.ts'
import { SearchForm } from '#features/public-prices/search-form.view.tsx'
import { formatCount, formatDate, formatMoney, formatPercent } from '#web/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'

/** What Ntalo is, in two sentences, beside what things cost this week. */
export function Hero({ figures }: { figures: PublicFigures }) {
  const { staples, index, totals } = figures
  return (
    <section
      id="hero"
      aria-labelledby="hero-title"
      className="border-b border-line bg-gradient-to-b from-surface to-paper"
    >
      <div className="mx-auto grid max-w-6xl items-center gap-6 sm:gap-8 px-4 py-6 sm:py-10 md:px-8 lg:grid-cols-[1.05fr_1fr] lg:gap-12 lg:py-16">
        <div>
          <p className="text-sm font-medium text-river">
            {totals.markets > 0
              ? `${formatCount(totals.markets, 'marché', 'marchés')} de la RD Congo`
              : 'Les marchés de la RD Congo'}
            <span className="max-sm:hidden">, semaine après semaine</span>
          </p>
          <h1 id="hero-title" className="mt-2 text-xl font-semibold tracking-tight text-balance md:text-2xl">
            Ce que coûtent vraiment les choses, marché par marché
          </h1>
          <p className="mt-4 max-w-xl text-base text-ink-soft">
            Ntalo relève les prix sur place, les vérifie et les explique. Commerçants, ménages, ONG,
            administrations et rédactions s’appuient sur les mêmes chiffres, avec leur marge.
          </p>
          {totals.markets > 0 && (
            <div className="mt-5 max-w-xl sm:mt-6">
              <SearchForm />
            </div>
          )}
          <div className="mt-5 flex flex-wrap gap-3 sm:mt-6">
            <a href="/auth/login" className={buttonClass('primary', 'grow px-2 sm:grow-0 sm:px-6')}>
              Commencer gratuitement
            </a>
            <a href="/auth/login" className={buttonClass('secondary', 'grow px-2 sm:grow-0 sm:px-6')}>
              Voir tous les prix
            </a>
          </div>
          <p className="mt-3 text-sm text-ink-soft">14 jours d’essai, sans moyen de paiement.</p>
        </div>
        {staples.length > 0 && <WeekPrices staples={staples} figures={figures} />}
        {staples.length === 0 && index.weeks.length === 0 && <FirstPrices />}
      </div>
    </section>
  )
}

function WeekPrices({ staples, figures }: { staples: readonly Move[]; figures: PublicFigures }) {
  const { month } = figures.index
  return (
    <div className="rounded-md border border-line bg-surface shadow-float">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-5 py-4">
        <h2 className="text-base font-semibold">Les prix de la semaine</h2>
        <p className="text-xs text-ink-soft">{`Au ${formatDate(figures.lastCollectedAt)}`}</p>
      </div>
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">Produit</th>
            <th scope="col">Prix moyen</th>
            <th scope="col">Sur sept jours</th>
          </tr>
        </thead>
        <tbody>
          {staples.map((staple) => (
            <StapleRow key={staple.product.id} staple={staple} isFaint={isFaintPrice(staple, figures)} />
          ))}
        </tbody>
      </table>
      <p className="px-5 py-3 text-xs text-ink-soft">
        {month &&
          `Ensemble des prix\u00a0: ${formatPercent(100 * month.value)}${marginText(month)}, ${weeksText(month, figures)}, ${formatCount(month.series, 'série', 'séries')}${untoldEnd(month)}. `}
        <a href="/methode" className="text-river underline">
          Comment ces prix sont calculés
        </a>
      </p>
    </div>
  )
}

function StapleRow({ staple, isFaint }: { staple: Move; isFaint: boolean }) {
  const { product, price, change, markets } = staple
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2.5 pl-5 text-left font-normal">
        <span className="font-medium">{product.name}</span>
        <span className="block text-xs text-ink-soft">
          {`${product.weight}, ${formatCount(markets, 'marché', 'marchés')}`}
        </span>
      </th>
      <td className={`px-3 text-right font-semibold whitespace-nowrap ${isFaint ? 'text-grey' : ''}`}>
        {formatMoney(Math.round(price))}
      </td>
      <td className="pr-5 text-right">
        {/* One product is too little for a colour. */}
        <ChangeText value={change} isFaint />
      </td>
    </tr>
  )
}

function FirstPrices() {
  return (
    <div className="rounded-md border border-dashed border-line-strong p-8 text-center">
      <h2 className="text-base font-semibold">Les premiers relevés arrivent</h2>
      <p className="mx-auto mt-2 max-w-sm text-ink-soft">
        Dès qu’un collecteur aura relevé des prix, ceux de la semaine se liront ici.
      </p>
    </div>
  )
}

/** The week's largest moves, one after the other. Nothing moves by itself: one scrolls. */
export function Ticker({ figures }: { figures: PublicFigures }) {
  const { moves } = figures
  if (moves.length === 0) return null
  return (
    <section aria-label="Plus fortes variations de la semaine" className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl items-center gap-4 px-4 md:px-8">
        <h2 className="shrink-0 py-3 text-xs font-semibold text-ink-soft max-sm:max-w-20">
          Plus fortes variations
        </h2>
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a strip that scrolls must be reachable by keyboard.
          tabIndex={0}
          aria-label="Variations de la semaine"
          className="relative flex min-w-0 snap-x gap-6 overflow-x-auto py-3 pr-10 -outline-offset-2 [mask-image:linear-gradient(to_left,transparent,black_2.5rem)]"
        >
          {moves.map((move) => (
            <li
              key={move.product.id}
              className="flex shrink-0 snap-start items-baseline gap-2 whitespace-nowrap"
            >
              <span>{move.product.name}</span>
              <span className={`font-semibold ${isFaintPrice(move, figures) ? 'text-grey' : ''}`}>
                {formatMoney(Math.round(move.price))}
              </span>
              <ChangeText value={move.change} isFaint className="text-xs font-medium" />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
