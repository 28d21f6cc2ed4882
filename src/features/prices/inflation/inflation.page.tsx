import { Link } from '@tanstack/react-router'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { marketLocations } from '#features/markets/markets.contract.ts'
import {
  type Inflation,
  inflationQuery,
  readInflation,
} from '#features/prices/inflation/inflation.contract.ts'
import { Contributions } from '#features/prices/inflation/ui/contributions.tsx'
import { InflationFigures } from '#features/prices/inflation/ui/figures.tsx'
import { IndexOfWeeks } from '#features/prices/inflation/ui/index-of-weeks.tsx'
import { PublishedBeside } from '#features/prices/inflation/ui/published-beside.tsx'
import { isPartlyWeighted } from '#features/prices/inflation/ui/shown.ts'
import { Weeks } from '#features/prices/inflation/ui/weeks.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { chipsOf } from '#web/crud/chips.tsx'
import { formatCount, formatDate, formatNumber, formatPercent } from '#web/format.ts'
import { searchTexts } from '#web/forms/choices.ts'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { linkInText } from '#web/ui/charts/link-within.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterInput } from '#web/ui/filter-controls.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import type { Option } from '#web/ui/use-options.ts'

/** « Inflation »: the weekly index of a selection and its changes, as the INS and the BCC publish theirs. */
export function InflationPage() {
  const { query, set, reset } = usePageState(inflationQuery)
  const category = categoryChoices.useOption(query.categoryId)
  const product = productChoices.useOption(query.productId)
  const answer = useAnswer(readInflation, { query }, { keepsPrevious: true })
  const { location, categoryId, productId } = query
  const shown = {
    inflation: answer.data,
    refetching: answer.isPlaceholderData,
    chosen: { location, categoryId, productId },
  }
  const chips = chipsOf(
    [
      { key: 'location', name: 'Ville', text: query.location },
      {
        key: 'categoryId',
        name: 'Catégorie',
        text: query.categoryId !== undefined && (category?.label ?? '…'),
      },
      { key: 'productId', name: 'Produit', text: query.productId !== undefined && (product?.label ?? '…') },
      { key: 'until', name: 'Jusqu’au', text: query.until && formatDate(query.until) },
    ] as const,
    (key) => set({ [key]: undefined }),
  )
  const subject =
    [product?.label ?? category?.label, query.location].filter(Boolean).join(', ') ||
    'Tous les produits et marchés'
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
      <FilterBar
        chips={chips}
        onReset={reset}
        filters={{
          location: (
            <Combobox
              label="Ville"
              hideLabel
              className="sm:w-48"
              placeholder="Toutes les villes"
              value={query.location ? { value: query.location, label: query.location } : null}
              search={searchTexts(marketLocations)}
              onChange={(option) => set({ location: option?.label })}
            />
          ),
          categoryId: (
            <Combobox
              label="Catégorie"
              hideLabel
              className="sm:w-56"
              placeholder="Toutes les catégories"
              value={category}
              search={categoryChoices.search}
              onChange={(option) => set({ categoryId: idOf(option) })}
            />
          ),
          productId: (
            <Combobox
              label="Produit"
              hideLabel
              className="sm:w-56"
              placeholder="Tous les produits"
              value={product}
              search={productChoices.search}
              onChange={(option) => set({ productId: idOf(option) })}
            />
          ),
          until: (
            <FilterInput
              label="Jusqu’au"
              type="date"
              value={query.until ?? ''}
              onChange={(until) => set({ until: until || undefined })}
            />
          ),
        }}
      />
      {answer.error && !answer.data ? (
        <LoadFailure title="Erreur lors du chargement de l’inflation" answer={answer} />
      ) : answer.data?.week === null ? (
        <EmptyState title="Aucun indice pour cette sélection">
          Il faut au moins deux semaines de relevés d’une même série (un produit dans un marché).
          {chips.length > 0 && ' Élargissez les filtres.'}
        </EmptyState>
      ) : (
        <>
          {answer.data && <PartWeighted {...answer.data} />}
          <InflationFigures {...shown} />
          <IndexOfWeeks {...shown} subject={subject} />
          <Contributions {...shown} measure={query.measure} onMeasure={(measure) => set({ measure })} />
          <Weeks {...shown} />
          <PublishedBeside {...shown} isOfAll={!category && !product} />
        </>
      )}
    </>
  )
}

/** Of types without a weight the figures say nothing: they are not those of the whole selection. Weights of few are not used. */
function PartWeighted({ weights, unusedWeights }: Pick<Inflation, 'weights' | 'unusedWeights'>) {
  if (unusedWeights) return <TooFewWeights {...unusedWeights} />
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
    <p className="rounded-md border border-line bg-sunken px-4 py-2.5" role="note">
      <strong className="font-semibold">Non pondéré.</strong>
      {` Des poids sont saisis pour ${formatCount(types, 'type de produit', 'types de produit')} sur ${formatNumber(types + typesWithout)}, soit ${formatPercent(100 * share, false)} des séries\u00a0: il en faut deux types et la moitié des séries pour que l’indice soit pondéré. `}
      {linkInText('/statistiques/ponderations', 'Voir les pondérations')}
    </p>
  )
}

function idOf(option: Option | null): number | undefined {
  return option ? Number(option.value) : undefined
}
