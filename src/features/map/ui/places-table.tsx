import type { MapMeasure } from '#features/map/map.rules.ts'
import { changeText, levelText, measured, type Place, weaknessOf } from '#features/map/ui/places.ts'
import { trends } from '#features/prices/ui/price-movement.tsx'
import { formatCount, formatDate, formatNumber } from '#web/format.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import type { Column } from '#web/ui/columns.ts'
import { type SortState, Table } from '#web/ui/table.tsx'

type PlacesTableProps = {
  title: string
  name: 'Marché' | 'Province'
  places: readonly Place[]
  measure: MapMeasure
  hasLevels: boolean
  sort: SortState
  onSort: (sort: SortState) => void
  loading: boolean
}

const sorts: Record<string, (place: Place) => string | number | null> = {
  name: ({ name }) => name,
  level: ({ level }) => level,
  change: ({ change }) => change?.value ?? null,
  prices: ({ prices }) => prices,
  lastDay: ({ lastDay }) => lastDay,
}

/** The sort keys of the table. */
export const placeSorts = Object.keys(sorts)

/** Shows the content of the map as a table. */
export function PlacesTable(props: PlacesTableProps) {
  const { title, name, places, measure, hasLevels, sort, onSort, loading } = props
  const soft = (place: Place, of: MapMeasure) => (measured(place, of).isFaint ? 'text-ink-soft' : '')
  const columns: Column<Place>[] = [
    {
      key: 'name',
      header: name,
      sortable: true,
      className: 'w-1/3 min-w-44',
      cell: (place) => (
        <>
          <span className="font-medium">{place.href ? linkWithin(place.href, place.name) : place.name}</span>
          <span className="block text-xs text-ink-soft">
            {place.detail}
            {/* On a card this replaces two lines. */}
            {place.lastDay && (
              <span className="hidden in-[ul]:inline">
                {` · ${formatCount(place.prices, 'relevé', 'relevés')} · ${formatDate(place.lastDay)}`}
              </span>
            )}
          </span>
        </>
      ),
    },
    ...(hasLevels
      ? [
          {
            key: 'level',
            header: 'Prix moyen',
            align: 'end' as const,
            sortable: true,
            cell: (place: Place) => <span className={soft(place, 'level')}>{levelText(place)}</span>,
          },
        ]
      : []),
    {
      key: 'change',
      header: 'Variation',
      align: 'end',
      sortable: true,
      cell: (place) => {
        const shownTrend = place.trend && trends[place.trend]
        const colour = soft(place, 'change') || shownTrend?.colour
        return (
          <span className={`inline-flex items-center gap-x-1 ${colour ?? ''}`}>
            {shownTrend && <shownTrend.icon className="size-4 shrink-0" aria-hidden />}
            {changeText(place)}
          </span>
        )
      },
    },
    {
      key: 'prices',
      header: 'Relevés',
      card: 'hidden',
      align: 'end',
      sortable: true,
      cell: (place) =>
        place.rowsHref && place.prices > 0
          ? linkWithin(place.rowsHref, formatNumber(place.prices))
          : formatNumber(place.prices),
    },
    {
      key: 'lastDay',
      header: 'Dernier relevé',
      card: 'hidden',
      sortable: true,
      cell: (place) => (place.lastDay ? formatDate(place.lastDay) : '—'),
    },
    {
      key: 'basis',
      header: 'Repose sur',
      card: 'hidden',
      cell: (place) => (
        <span className="text-ink-soft">
          {[
            weaknessOf(place, measure),
            place.series > 0 && formatCount(place.series, 'série suivie', 'séries suivies'),
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      ),
    },
  ]
  return (
    <Table
      caption={title}
      columns={columns}
      rows={sorted(places, sort)}
      rowKey={({ key }) => key}
      sort={sort}
      onSort={onSort}
      loading={loading}
    />
  )
}

/** Sorts places; missing values come last in both directions. */
function sorted(places: readonly Place[], { key, direction }: SortState): Place[] {
  const keyOf = sorts[key] ?? ((place: Place) => place.prices)
  const sign = direction === 'desc' ? -1 : 1
  return places.toSorted((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return sign * (typeof x === 'string' ? x.localeCompare(String(y), 'fr') : x - Number(y))
  })
}
