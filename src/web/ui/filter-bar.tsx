import { ListFilter, SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NARROW, useMediaQuery } from '#web/ui/media-query.ts'

export type FilterChip = { key: string; label: ReactNode; onRemove: () => void }

type FilterBarProps = {
  /** Always in sight, phone included: the SearchField. */
  search?: ReactNode
  /** The filters, in one row; in a sheet on a phone. */
  children?: ReactNode
  /** Those that are seldom needed, behind « Plus de filtres »; on a phone in the same sheet. */
  more?: ReactNode
  /** How many of them are in force. */
  moreInForce?: number
  /** Filters in force, written out: « Pays : RDC ». */
  chips?: readonly FilterChip[]
  onReset?: () => void
  /** At the end of the row: a Segmented, an export button. */
  end?: ReactNode
}

/** Search and filters of a list, with what is in force under them. */
export function FilterBar(props: FilterBarProps) {
  const { search, children, more, moreInForce = 0, chips = [], onReset, end } = props
  const narrow = useMediaQuery(NARROW)
  const [hasMore, setHasMore] = useState(false)
  const [open, setOpen] = useState(false)
  return (
    <search className="block space-y-3">
      <div className="flex items-center gap-3 sm:flex-wrap">
        {search && <div className="min-w-0 grow sm:max-w-sm sm:basis-48">{search}</div>}
        {!narrow && children}
        {more && !narrow && (
          <Button icon={ListFilter} aria-expanded={hasMore} onClick={() => setHasMore(!hasMore)}>
            {hasMore ? 'Moins de filtres' : 'Plus de filtres'}
            {!hasMore && moreInForce > 0 && ` (${moreInForce})`}
          </Button>
        )}
        {children && narrow && (
          <Button
            icon={SlidersHorizontal}
            aria-haspopup="dialog"
            className="shrink-0 px-3"
            onClick={() => setOpen(true)}
          >
            Filtres{chips.length > 0 && ` (${chips.length})`}
          </Button>
        )}
        {end && !narrow && <div className="ml-auto flex flex-wrap items-center gap-3">{end}</div>}
        {hasMore && !narrow && <div className="flex basis-full flex-wrap items-center gap-3">{more}</div>}
      </div>
      {end && narrow && <div className="flex flex-wrap items-center gap-3">{end}</div>}
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
          {children}
          {more}
        </div>
      </Dialog>
    </search>
  )
}
