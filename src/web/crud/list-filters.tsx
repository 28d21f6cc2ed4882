import { filterBarOf } from '#web/crud/filters.tsx'
import { columnsOf, type ListQuery, type Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import type { ListState } from '#web/list-state.ts'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

/** Search, filters and order of a list, with the chips of active filters below. */
export function ListFilters<Row>(props: { subject: Subject<Row>; list: ListState<ListQuery> }) {
  const { list } = props
  const { resource, screens } = props.subject
  const { chips, filters, more } = filterBarOf(
    (screens.filters ?? []).map((filter) => ({
      ...filter,
      label: filter.label ?? resource.labels[filter.key] ?? filter.key,
    })),
    list,
  )
  return (
    <FilterBar
      search={
        <SearchField
          label={`Rechercher ${wordsOf(resource.noun).a}`}
          placeholder={screens.searchHint}
          value={list.query.search ?? ''}
          onChange={(value) => list.set({ search: value || undefined })}
        />
      }
      chips={chips}
      onReset={list.reset}
      filters={{
        ...filters,
        ...(screens.layout !== 'table' && { sort: <SortFilter {...props} /> }),
      }}
      more={more}
    />
  )
}

/** Sort order as a filter, because cards have no headers to click. */
function SortFilter<Row>({ subject, list }: { subject: Subject<Row>; list: ListState<ListQuery> }) {
  const { resource } = subject
  // On cards the name is not a column.
  const named = { key: 'name', header: resource.labels.name ?? '' }
  const sorts = [named, ...columnsOf(subject)].filter(({ key }) => resource.sortable.includes(key))
  return (
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
  )
}
