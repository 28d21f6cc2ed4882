import { z } from 'zod'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { Absences } from '#features/collection/availability/ui/absences.tsx'
import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import { asOfText } from '#features/figures/summary/summary.rules.ts'
import { mapFilters, readPriceMap } from '#features/map/map.contract.ts'
import { type MapMeasure, mapMeasures, scaleOf } from '#features/map/map.rules.ts'
import { measured, placeOfMarket, placeOfProvince, sourceOfMap, weaknessOf } from '#features/map/ui/places.ts'
import { PlacesTable, placeSorts } from '#features/map/ui/places-table.tsx'
import { PriceMapChart } from '#features/map/ui/price-map-chart.tsx'
import { isOnMap } from '#features/markets/country-map.view.tsx'
import { listOf, rowsOfFigures } from '#features/prices/listed.rules.ts'
import { FigureData } from '#features/prices/ui/figure-data.tsx'
import { withAllFilters } from '#features/prices/ui/price-filters.tsx'
import { ratesText } from '#features/prices/ui/price-movement.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { searchOf } from '#features/shares/shares.rules.ts'
import { ShareAndCite } from '#features/shares/ui/share-and-cite.tsx'
import { periodOptions } from '#features/statistics/ui/statistics-selection.ts'
import { optionalQuery } from '#shared/fields.ts'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { capitalise, formatCount, formatDate, formatDateTime, formatNumber } from '#web/format.ts'
import { choiceFilter } from '#web/forms/choice-filter.tsx'
import { periodControls } from '#web/forms/day-filter.tsx'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure, RefreshFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { ChartFrame } from '#web/ui/charts/chart-frame.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const page = mapFilters.extend({
  measure: optionalQuery(z.enum(mapMeasures)),
  by: optionalQuery(z.enum(['market', 'province'])).default('market'),
  sort: optionalQuery(z.enum(placeSorts.flatMap((key) => [key, `-${key}`]))),
})

const choices: readonly DeclaredFilter[] = [
  { key: 'productId', label: 'Produit', ...choiceFilter(productChoices, 'Tous les produits') },
  { key: 'categoryId', label: 'Catégorie', ...choiceFilter(categoryChoices, 'Toutes les catégories') },
  ...periodControls.map((filter) => ({ ...filter, isExtra: true })),
]
const filterBar = withAllFilters(choices, { hasSearchBox: false })

/** Resets product, category and sort order: choosing a product or a category replaces them. */
const anew = { productId: undefined, categoryId: undefined, sort: undefined }

const measureOptions: readonly { value: MapMeasure; label: string; name: string }[] = [
  { value: 'level', label: 'Niveau', name: 'Le prix moyen du produit' },
  { value: 'change', label: 'Variation', name: 'La variation des prix dans la période' },
]
const placeOptions = [
  { value: 'market', label: 'Marchés', name: 'Un rond par marché' },
  { value: 'province', label: 'Provinces', name: 'Chaque province d’après ses marchés' },
] as const

/** « Carte des prix »: markets or provinces coloured by the price of a product, or by the change of prices. */
export function PriceMapPage() {
  const { query, set, reset } = usePageState(page)
  const { measure: asked, by, sort, ...filters } = query
  const answer = useAnswer(readPriceMap, { query: filters }, { keepsPrevious: true })
  const product = productChoices.useName(query.productId)
  const category = categoryChoices.useName(query.categoryId)
  const hasLevels = query.productId !== undefined
  const measure = hasLevels ? (asked ?? 'level') : 'change'
  const map = answer.data
  const { period: _period, ...chosen } = filters
  const rows = rowsOfFigures({ ...chosen, ...map?.days })
  const places =
    by === 'market'
      ? (map?.markets ?? []).map((market) => placeOfMarket(market, rows))
      : (map?.provinces ?? []).map((province) => placeOfProvince(province, rows))
  const scale = scaleOf(
    measure,
    places.map((place) => measured(place, measure)),
  )
  const { productId: _product, categoryId: _category, startDate: _first, endDate: _last, ...others } = chosen
  const isNarrowed = Object.values(others).some((value) => value !== undefined)
  const whole = isNarrowed ? 'indice de la sélection' : 'indice de tous les biens'
  const subject = product ?? (category ? `indice de la catégorie ${category}` : whole)
  const title = `${measure === 'level' ? 'Prix moyen' : 'Variation des prix'}\u00a0: ${subject}`
  const period = map && `Du ${formatDate(map.days.startDate)} au ${formatDate(map.days.endDate)}`
  const rates =
    map &&
    ratesText({
      ...map,
      totalPrices: sourceOfMap(map).count,
      currencyDistribution: [{ currency: 'USD', count: map.converted }],
    })
  const notes = [
    map?.isEstimate &&
      'Ces filtres laissent trop de relevés à lire\u00a0: choisissez un produit, un marché ou des dates plus courtes.',
    map?.isTooLarge &&
      !map.isEstimate &&
      'Trop de séries pour suivre un indice dans chaque marché\u00a0: choisissez un produit ou une catégorie.',
    map &&
      map.total > map.markets.length &&
      `Les ${formatNumber(map.markets.length)} marchés les plus relevés sur ${formatNumber(map.total)}.`,
    map?.asOf && `${capitalise(asOfText(map.asOf, formatDateTime))}.`,
    map && rates && `${rates}.`,
  ].filter(Boolean)
  const undrawn = by === 'market' ? places.filter(({ at }) => !at || !isOnMap(at)) : []
  const order = sort ?? (measure === 'level' ? '-level' : '-change')
  const hasPrices = places.some(({ prices }) => prices > 0)
  const ownDays = [query.startDate, query.endDate].filter((day) => day !== undefined).length
  return (
    <>
      <PageHeader
        title="Carte des prix"
        description="Où les prix sont hauts ou bas, et où ils montent ou baissent, marché par marché ou province par province."
        actions={<ViewsMenu />}
      />
      <FilterBar
        {...filterBarOf(filterBar, {
          query,
          set: (changes) =>
            set('productId' in changes || 'categoryId' in changes ? { ...anew, ...changes } : changes),
        })}
        onReset={reset}
        end={
          <>
            {hasLevels && (
              <Segmented
                label="Mesure"
                value={measure}
                onChange={(next) => set({ measure: next })}
                options={measureOptions}
              />
            )}
            <Segmented
              label="Lieux"
              value={by}
              onChange={(next) => set({ by: next })}
              options={placeOptions}
            />
            <Segmented
              label="Période"
              value={ownDays > 0 ? '' : query.period}
              onChange={(next) => next && set({ period: next, startDate: undefined, endDate: undefined })}
              options={periodOptions}
            />
          </>
        }
      />
      {query.productId !== undefined && <Absences productId={query.productId} />}
      {answer.isError && map && <RefreshFailure answer={answer} />}
      <ChartFrame
        title={title}
        definition="/methode#carte"
        subtitle={period}
        source={map ? { ...sourceOfMap(map), href: listOf(rows) } : {}}
        loading={answer.isPending}
        refetching={answer.isPlaceholderData}
        error={
          answer.error &&
          !map && <LoadFailure compact title="Erreur lors du chargement de la carte" answer={answer} />
        }
        isEmpty={!hasPrices}
        placeholder="h-120"
        actions={
          hasPrices && (
            <>
              <ShareAndCite
                title={`Carte des prix, ${subject}`}
                address={{ path: '/statistiques/carte', search: searchOf(query) }}
              />
              <FigureData rows={rows} />
            </>
          )
        }
        note={notes.length > 0 && <p className="text-ink-soft">{notes.join(' ')}</p>}
        info={<Definition />}
        makeTable={() => ({
          columns: [
            by === 'market' ? 'Marché' : 'Province',
            'Lieu',
            ...(hasLevels ? ['Prix moyen (FC)'] : []),
            'Variation (%)',
            'Intervalle à 95\u00a0% (de, %)',
            '(à, %)',
            'Relevés',
            'Séries suivies',
            'Dernier relevé',
            'Réserve',
          ],
          rows: places.map((place) => [
            place.name,
            place.detail,
            ...(hasLevels ? [place.level && Math.round(place.level * 100) / 100] : []),
            percent(place.change?.value),
            ...intervalCells(place.change),
            place.prices,
            place.series,
            place.lastDay,
            weaknessOf(place, measure) || null,
          ]),
        })}
      >
        <PriceMapChart title={title} places={places} scale={scale} measure={measure} by={by} />
      </ChartFrame>
      {hasPrices && undrawn.length > 0 && (
        <p className="text-ink-soft">
          {`${formatCount(undrawn.length, 'marché sans coordonnées dans le pays n’est', 'marchés sans coordonnées dans le pays ne sont')} pas sur la carte\u00a0: ${undrawn.map(({ name, detail }) => (detail ? `${name} (${detail})` : name)).join(', ')}.`}
        </p>
      )}
      {(answer.isPending || hasPrices) && (
        <PlacesTable
          title={title}
          name={by === 'market' ? 'Marché' : 'Province'}
          places={places}
          measure={measure}
          hasLevels={hasLevels}
          sort={{ key: order.replace(/^-/, ''), direction: order.startsWith('-') ? 'desc' : 'asc' }}
          onSort={({ key, direction }) => set({ sort: direction === 'desc' ? `-${key}` : key })}
          loading={answer.isPending}
        />
      )}
    </>
  )
}

function Definition() {
  return (
    <>
      Le niveau est la moyenne des prix du produit dans la période, en francs au taux du jour. La variation
      d’un produit dans un marché compare ses derniers jours à ceux d’une période plus tôt&#8239;; celle de
      plusieurs produits, ou d’une province, est celle de leur indice. Une couleur réunit à peu près autant de
      lieux qu’une autre&#8239;; pour une variation, la moitié la plus forte est à part. Est grisé ce qui
      repose sur moins de trois relevés, cinq séries ou trois produits, ou sur des relevés de plus de
      30&nbsp;jours, et une variation sans marge ou dont la tendance n’est pas établie. Les marchés d’une même
      ville sont un peu écartés. Limites des provinces&nbsp;: geoBoundaries, ©&nbsp;contributeurs
      d’OpenStreetMap, ODbL.
    </>
  )
}

function percent(fraction: number | null | undefined): number | null {
  return fraction == null ? null : Math.round(fraction * 1000) / 10
}

function intervalCells(change: { value: number; margin: number | null } | null): (number | null)[] {
  if (!change || change.margin === null) return [null, null]
  const { value, margin } = change
  return percentInterval({ value, margin }).map((end) => Math.round(end * 10) / 10)
}
