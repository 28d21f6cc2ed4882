import { ChangeText, isFaintPrice } from '#features/landing/change-text.view.tsx'
import type { PublicFigures } from '#features/landing/landing.contract.ts'
import { LastPrices } from '#features/landing/last-prices.view.tsx'
import { SearchForm } from '#features/public-prices/search-form.view.tsx'
import { formatCount, formatMoney } from '#web/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'

/** Shows the question of visitors with a search field, and the last prices beside it. */
export function Hero({ figures }: { figures: PublicFigures }) {
  const { latest, index, totals } = figures
  return (
    <section
      id="hero"
      aria-labelledby="hero-title"
      className="border-b border-line bg-gradient-to-b from-surface to-paper"
    >
      <div className="mx-auto grid max-w-6xl items-center gap-5 px-4 py-5 sm:gap-8 sm:py-10 md:px-8 lg:grid-cols-[1fr_1.15fr] lg:gap-12 lg:py-16">
        <div className="min-w-0">
          <h1 id="hero-title" className="text-lg font-semibold tracking-tight md:text-2xl">
            {'Combien ça coûte, aujourd’hui, au marché\u202f?'}
          </h1>
          <p className="mt-1 max-w-xl text-ink-soft sm:mt-4 sm:text-base">{coverageOf(figures)}</p>
          {totals.markets > 0 && (
            <div className="mt-4 max-w-xl sm:mt-6">
              <SearchForm />
              <Examples latest={latest} />
            </div>
          )}
          <div className="mt-4 flex flex-wrap gap-2 sm:mt-6 sm:gap-3">
            <a
              href="/auth/login"
              className={buttonClass('primary', 'max-sm:grow max-sm:px-1.5 max-sm:text-sm sm:px-6')}
            >
              Commencer gratuitement
            </a>
            <a
              href="/auth/login"
              className={buttonClass('secondary', 'max-sm:grow max-sm:px-1.5 max-sm:text-sm sm:px-6')}
            >
              Voir tous les prix
            </a>
          </div>
          <p className="mt-2 text-sm text-ink-soft">14 jours d’essai, sans moyen de paiement.</p>
        </div>
        {latest.rows.length > 0 && <LastPrices figures={figures} />}
        {latest.rows.length === 0 && index.weeks.length === 0 && <FirstPrices />}
      </div>
    </section>
  )
}

/** Returns for example « 63 produits dans 23 marchés de la RD Congo. 2 878 prix relevés ces 7 derniers jours. » */
function coverageOf({ totals, collected }: PublicFigures): string {
  if (totals.markets === 0)
    return 'Ntalo relève les prix des marchés de la RD Congo, les vérifie et les explique.'
  const week = collected.reduce((sum, { count }) => sum + count, 0)
  const covered = `${formatCount(totals.products, 'produit', 'produits')} dans ${formatCount(totals.markets, 'marché', 'marchés')} de la RD Congo, relevés et vérifiés sur place.`
  return week === 0
    ? covered
    : `${covered} ${formatCount(week, 'prix relevé', 'prix relevés')} ces 7\u00a0derniers jours.`
}

const mostExamples = 4
/** Longest example of a search. */
const mostLetters = 30

/** Shows example searches that have results: a product and a city of the table beside them. */
function Examples({ latest: { cities, rows } }: Pick<PublicFigures, 'latest'>) {
  const texts = rows
    .flatMap(({ product, prices }, row) => {
      const column = cities.findIndex((_, at) => prices[(at + row) % cities.length])
      const city = column < 0 ? undefined : cities[(column + row) % cities.length]
      const word = product.name.split(' ')[0]
      return city && word ? [`${word} ${city}`.toLocaleLowerCase('fr')] : []
    })
    .filter((text) => text.length <= mostLetters)
    .slice(0, mostExamples)
  if (texts.length === 0) return null
  return (
    <ul aria-label="Exemples de recherches" className="mt-2 flex flex-wrap gap-2 sm:mt-3">
      {[...new Set(texts)].map((text) => (
        <li key={text}>
          <a
            href={`/recherche?q=${encodeURIComponent(text)}`}
            className="inline-flex min-h-8 items-center rounded-full border border-line-strong bg-surface px-3 text-sm hover:bg-sunken"
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
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

/** Shows the week's largest changes in a row, which scrolls but is not animated. */
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
