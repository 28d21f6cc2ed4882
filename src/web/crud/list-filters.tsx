import { columnsOf, type ListQuery, type Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import type { ListState } from '#web/list-state.ts'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

/** Search, filters and order of a list; what is in force stands under them. */
export function ListFilters<Row>(props: { subject: Subject<Row>; list: ListState<ListQuery> }) {
  const { list } = props
  const { resource, screens } = props.subject
  const words = wordsOf(resource.noun)
  const set = (key: string, value: string) => list.set({ [key]: value || undefined })
  const query: Record<string, unknown> = list.query
  const filters = (screens.filters ?? []).map((filter) => ({
    ...filter,
    label: filter.label ?? resource.labels[filter.key] ?? filter.key,
    value: String(query[filter.key] ?? ''),
  }))
  const chips = filters
    .filter(({ value }) => value !== '')
    .map(({ key, label, value, chip: Chip }) => ({
      key,
      label: (
        <>
          {`${label}\u00a0: `}
          {Chip ? <Chip value={value} /> : value}
        </>
      ),
      onRemove: () => set(key, ''),
    }))
  // On cards, what one is called is no column.
  const named = { key: 'name', header: resource.labels.name ?? '' }
  const sorts = [named, ...columnsOf(props.subject)].filter(({ key }) => resource.sortable.includes(key))
  return (
    <FilterBar
      search={
        <SearchField
          label={`Rechercher ${words.a}`}
          value={list.query.search ?? ''}
          onChange={(value) => set('search', value)}
        />
      }
      chips={chips}
      onReset={list.reset}
    >
      {filters.map(({ key, label, control: Control, value }) => (
        <Control key={key} label={label} value={value} onChange={(next) => set(key, next)} />
      ))}
      {screens.layout !== 'table' && (
        <FilterSelect
          label="Tri"
          value={list.query.sort ?? ''}
          allLabel="par défaut"
          options={sorts.flatMap(({ key, header }) => [
            { value: key, label: `${header}, croissant` },
            { value: `-${key}`, label: `${header}, décroissant` },
          ])}
          onChange={(sort) => list.setSort(sort || undefined)}
        />
      )}
    </FilterBar>
  )
}
