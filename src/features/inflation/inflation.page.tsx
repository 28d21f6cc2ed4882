import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { type Inflation, inflationQuery, readInflation } from '#features/inflation/inflation.contract.ts'
import { Contributions } from '#features/inflation/ui/contributions.tsx'
import { InflationFigures } from '#features/inflation/ui/figures.tsx'
import { IndexOfWeeks } from '#features/inflation/ui/index-of-weeks.tsx'
import { PublishedBeside } from '#features/inflation/ui/published-beside.tsx'
import { isPartlyWeighted } from '#features/inflation/ui/shown.ts'
import { Weeks } from '#features/inflation/ui/weeks.tsx'
import { marketLocations } from '#features/markets/markets.contract.ts'
import { withAllFilters } from '#features/prices/ui/price-filters.tsx'
import { excludedText } from '#features/prices/ui/price-movement.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { formatCount, formatDate, formatNumber, formatPercent } from '#web/format.ts'
import { choiceFilter, SearchFilter } from '#web/forms/choice-filter.tsx'
import { searchTexts } from '#web/forms/choices.ts'
import { DayFilter } from '#web/forms/day-filter.tsx'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure, RefreshFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { linkInText } from '#web/ui/charts/link-within.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const chosenHere: readonly DeclaredFilter[] = [
  { key: 'location', label: 'Ville', control: CityFilter },
  { key: 'categoryId', label: 'Catégorie', ...choiceFilter(categoryChoices, 'Toutes les catégories') },
  { key: 'productId', label: 'Produit', ...choiceFilter(productChoices, 'Tous les produits') },
  { key: 'until', label: 'Jusqu’au', control: DayFilter, chip: ({ value }) => formatDate(value) },
]
const filters = withAllFilters(chosenHere, { hasSearchBox: false })

/** « Inflation »: the weekly index of a selection and its changes, measured as the INS and the BCC do. */
export function InflationPage() {
  const { query, set, reset } = usePageState(inflationQuery)
  const category = categoryChoices.useName(query.categoryId)
  const product = productChoices.useName(query.productId)
  const answer = useAnswer(readInflation, { query }, { keepsPrevious: true })
  const { until: _until, measure, ...chosen } = query
  const { location, categoryId: _category, productId: _product, ...others } = chosen
  const isNarrowed = Object.values(others).some((value) => value !== undefined)
  const shown = {
    inflation: answer.data,
    refetching: answer.isPlaceholderData,
    chosen,
  }
  const filterBar = filterBarOf(filters, { query, set })
  const subject =
    [product ?? category, location].filter(Boolean).join(', ') ||
    (isNarrowed ? 'Relevés choisis' : 'Tous les produits et marchés')
  return (
    <>
      <PageHeader
        title="Inflation"
        description="De combien les prix montent, semaine après semaine, et ce qui les fait monter."
        actions={
          <>
            <ViewsMenu />
            <Link to="/statistiques/ponderations" className={buttonClass()}>
              Pondérations
            </Link>
            <Link to="/statistiques/publications" className={buttonClass()}>
              Chiffres publiés
            </Link>
          </>
        }
      />
      <FilterBar {...filterBar} onReset={reset} />
      {answer.error && !answer.data ? (
        <LoadFailure title="Erreur lors du chargement de l’inflation" answer={answer} />
      ) : answer.data?.week === null ? (
        <EmptyState title="Aucun indice pour cette sélection">
          Il faut au moins deux semaines de relevés d’une même série (un produit dans un marché).
          {filterBar.chips.length > 0 && ' Élargissez les filtres.'}
          {answer.data.excluded > 0 && ` ${excludedText(answer.data.excluded)}.`}
        </EmptyState>
      ) : (
        <>
          {answer.isError && answer.data && <RefreshFailure answer={answer} />}
          {answer.data && <PartWeighted {...answer.data} />}
          <InflationFigures {...shown} />
          <IndexOfWeeks {...shown} subject={subject} query={query} />
          <Contributions {...shown} measure={measure} onMeasure={(measure) => set({ measure })} />
          <Weeks {...shown} />
          <PublishedBeside {...shown} isOfAll={!category && !product && !isNarrowed} />
        </>
      )}
    </>
  )
}

/**
 * Warns that types without a weight are left out of the figures, or that weights exist but are not used: too few of
 * them, or too many series.
 */
function PartWeighted({ weights, unusedWeights, isTooLargeToWeigh }: Inflation) {
  if (unusedWeights) return <TooFewWeights {...unusedWeights} />
  if (isTooLargeToWeigh) {
    return (
      <NotWeighted>
        Des poids sont saisis, mais cette sélection a trop de séries pour qu’ils soient appliqués&nbsp;:
        choisissez une ville, une catégorie ou un produit.
      </NotWeighted>
    )
  }
  if (!weights || !isPartlyWeighted(weights)) return null
  const { types, typesWithout, unweighted } = weights
  return (
    <p className="rounded-md border border-line bg-amber-soft px-4 py-2.5" role="note">
      <strong className="font-semibold">
        {`Pondéré en partie\u00a0: ${formatCount(types, 'type de produit', 'types de produit')} sur ${formatNumber(types + typesWithout)}.`}
      </strong>
      {` Les chiffres sont ceux de ces types seuls\u202f; ${formatCount(unweighted, 'série des autres est laissée', 'séries des autres sont laissées')} de côté tant qu’ils n’ont pas de poids. `}
      {linkInText('/statistiques/ponderations', 'Voir les pondérations')}
    </p>
  )
}

function TooFewWeights({ types, typesWithout, share }: NonNullable<Inflation['unusedWeights']>) {
  return (
    <NotWeighted>
      {`Des poids sont saisis pour ${formatCount(types, 'type de produit', 'types de produit')} sur ${formatNumber(types + typesWithout)}, soit ${formatPercent(100 * share, false)} des séries\u00a0: il en faut deux types et la moitié des séries pour que l’indice soit pondéré.`}
    </NotWeighted>
  )
}

/** Shows that weights exist but are not used, and why. */
function NotWeighted({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-md border border-line bg-sunken px-4 py-2.5" role="note">
      <strong className="font-semibold">Non pondéré.</strong> {children}{' '}
      {linkInText('/statistiques/ponderations', 'Voir les pondérations')}
    </p>
  )
}

function CityFilter(props: FilterControlProps) {
  return <SearchFilter {...props} placeholder="Toutes les villes" search={searchTexts(marketLocations)} />
}
