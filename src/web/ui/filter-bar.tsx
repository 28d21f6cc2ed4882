import { ListFilter, SlidersHorizontal, X } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { useOverflow } from '#web/ui/use-overflow.ts'

export type FilterChip = { key: string; label: ReactNode; onRemove: () => void }

type FilterBarProps = {
  /** The SearchField, always visible, also on phones. */
  search?: ReactNode
  /**
   * Filters in one row by the key of their chip, the most important first; those that do not fit go under « Plus de
   * filtres ».
   */
  filters?: Readonly<Record<string, ReactNode>>
  /** Rarely used filters, always under « Plus de filtres »; on a phone all filters are in one sheet. */
  more?: ReactNode
  /** Active filters as text: « Pays : RDC ». */
  chips?: readonly FilterChip[]
  onReset?: () => void
  /** Content at the end of the row: a Segmented, an export button. */
  end?: ReactNode
}

/** Search and filters of a list, with the chips of active filters below. */
export function FilterBar({ search, filters = {}, more, chips = [], onReset, end }: FilterBarProps) {
  const narrow = useMediaQuery(narrowScreen)
  const [hasMore, setHasMore] = useState(false)
  const [open, setOpen] = useState(false)
  const keys = Object.keys(filters)
  const [frame, , leftOut] = useOverflow(narrow ? undefined : keys.toReversed())
  const shown = keys.filter((key) => !leftOut.includes(key))
  const controls = (of: readonly string[]) => of.map((key) => <Fragment key={key}>{filters[key]}</Fragment>)
  const behind = chips.filter(({ key }) => !shown.includes(key)).length
  return (
    <search className="block space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <div ref={frame} className={`min-w-0 ${search ? 'grow basis-md' : 'sm:grow sm:basis-md'}`}>
          <div className="flex items-center gap-3 sm:w-max sm:min-w-full">
            {search && <div className="w-48 min-w-0 grow sm:max-w-sm">{search}</div>}
            {!narrow && controls(shown)}
            {!narrow && (more || leftOut.length > 0) && (
              <Button icon={ListFilter} aria-expanded={hasMore} onClick={() => setHasMore(!hasMore)}>
                {hasMore ? 'Moins de filtres' : 'Plus de filtres'}
                {!hasMore && behind > 0 && ` (${behind})`}
              </Button>
            )}
            {narrow && keys.length > 0 && (
              <Button
                icon={SlidersHorizontal}
                aria-haspopup="dialog"
                className="shrink-0 px-3"
                onClick={() => setOpen(true)}
              >
                Filtres{chips.length > 0 && ` (${chips.length})`}
              </Button>
            )}
          </div>
        </div>
        {end && <div className="flex flex-wrap items-center gap-3 max-sm:contents">{end}</div>}
      </div>
      {hasMore && !narrow && (
        <div className="flex flex-wrap items-center gap-3">
          {controls(keys.filter((key) => leftOut.includes(key)))}
          {more}
        </div>
      )}
      {chips.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <ul className="contents" aria-label="Filtres actifs">
            {chips.map((chip) => (
              <li key={chip.key} className="max-w-full">
                <button
                  type="button"
                  onClick={chip.onRemove}
                  className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-river-soft py-1 pr-2.5 pl-3.5 font-medium text-river hover:bg-sunken md:pointer-fine:min-h-8"
                >
                  <span className="sr-only">Retirer le filtre </span>
                  <span className="truncate">{chip.label}</span>
                  <X className="size-4 shrink-0" aria-hidden />
                </button>
              </li>
            ))}
          </ul>
          {onReset && (
            <Button variant="ghost" onClick={onReset} className="px-3 md:pointer-fine:h-8">
              Réinitialiser
            </Button>
          )}
        </div>
      )}
      <Dialog
        open={open && narrow}
        title="Filtres"
        onClose={() => setOpen(false)}
        footer={
          <>
            {onReset && <Button onClick={onReset}>Réinitialiser</Button>}
            <Button variant="primary" onClick={() => setOpen(false)}>
              Voir les résultats
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4 *:w-full">
          {controls(keys)}
          {more}
        </div>
      </Dialog>
    </search>
  )
}
