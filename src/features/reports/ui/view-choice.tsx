import { priceFilters, type SeriesFilter } from '#features/figures/filters/filters.contract.ts'
import { selectionOfSearch } from '#features/reports/reports.rules.ts'
import { viewAddresses } from '#features/saved-views/saved-views.addresses.ts'
import type { savedViews } from '#features/saved-views/saved-views.contract.ts'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

/** Filters that have a field in a block; a saved view may have others. */
const shown = ['productId', 'categoryId', 'marketId']

type ViewChoiceProps = { selection: SeriesFilter; onChoose: (selection: SeriesFilter) => void }

/**
 * Takes the selection of a saved view for a block; filters without a field are listed, with a button to remove them.
 */
export function ViewChoice({ selection, onChoose }: ViewChoiceProps) {
  const { data } = useAnswer<typeof savedViews.list>(viewAddresses.list, {})
  const views = (data?.data ?? []).flatMap(({ id, name, search }) => {
    const chosen = selectionOfSearch(search)
    return chosen ? [{ value: String(id), label: name, chosen }] : []
  })
  const others = Object.entries(selection).filter(
    ([name, value]) => value !== undefined && !shown.includes(name),
  )
  return (
    <>
      {views.length > 0 && (
        <SelectField
          label="Prix d’une vue enregistrée"
          value=""
          placeholder="Choisir une vue…"
          options={views}
          onChange={({ target }) => {
            const view = views.find(({ value }) => value === target.value)
            if (view) onChoose(view.chosen)
          }}
        />
      )}
      {others.length > 0 && (
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="min-w-0 wrap-anywhere">
            {`Aussi choisis par\u00a0: ${others.map(([name]) => priceFilters[name as keyof SeriesFilter].label.toLowerCase()).join(', ')}`}
          </span>
          <Button
            onClick={() => {
              const { productId, categoryId, marketId } = selection
              onChoose({ productId, categoryId, marketId })
            }}
          >
            Retirer
          </Button>
        </p>
      )}
    </>
  )
}
