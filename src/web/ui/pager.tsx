import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { mostPerPage } from '#shared/fields.ts'
import { formatCount, formatNumber } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { controlClass } from '#web/ui/control-class.ts'

type PagerProps = {
  page: number
  pages: number
  total: number
  /** Whether the total is an estimate: « environ 410 000 prix ». */
  isEstimate?: true | undefined
  onPage: (page: number) => void
  /** With `onLimit`, shows inputs for the page and its size. */
  limit?: number
  onLimit?: (limit: number) => void
  /** Noun of the rows: `['marque', 'marques']`. */
  noun?: readonly [one: string, other: string]
  hideIfSingle?: boolean
  busy?: boolean
}

/** Pagination: « Précédent », « page x sur y », « Suivant ». */
export function Pager(props: PagerProps) {
  const { page, pages, total, onPage, limit, onLimit, noun = ['résultat', 'résultats'] } = props
  // An empty list has no pages and shows its own message.
  if (total === 0 || (props.hideIfSingle && pages <= 1)) return null
  const last = Math.max(1, pages)
  return (
    <nav
      aria-label="Pagination"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3"
      aria-busy={props.busy}
    >
      <p className="text-ink-soft" aria-live="polite">
        Page <span className="font-medium text-ink">{formatNumber(page)}</span> sur{' '}
        <span className="font-medium text-ink">{formatNumber(last)}</span>
        <span className="px-1.5" aria-hidden>
          ·
        </span>
        {props.isEstimate && 'environ '}
        {formatCount(total, noun[0], noun[1])}
      </p>
      <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
        {onLimit && limit !== undefined && (
          <>
            <CountInput label="Page" value={page} onCommit={onPage} />
            <CountInput label="Par page" value={limit} max={mostPerPage.session} onCommit={onLimit} />
          </>
        )}
        {/* When they do not fit beside the rest, both go to the next line. */}
        <div className="flex gap-3 max-sm:w-full">
          <Button
            icon={ChevronLeft}
            disabled={page <= 1}
            onClick={() => onPage(Math.min(page, last + 1) - 1)}
            className="max-sm:flex-1"
          >
            Précédent
          </Button>
          <Button disabled={page >= last} onClick={() => onPage(page + 1)} className="max-sm:flex-1">
            Suivant
            <ChevronRight className="size-4" aria-hidden />
          </Button>
        </div>
      </div>
    </nav>
  )
}

type CountInputProps = { label: string; value: number; max?: number; onCommit: (value: number) => void }

/** An input of a whole number of at least 1, applied after a pause in typing to avoid a request per keystroke. */
function CountInput({ label, value, max, onCommit }: CountInputProps) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const commit = useEffectEvent((text: string) => {
    // Emptied to type another number.
    if (text === '') return
    const wanted = Math.floor(Number(text))
    setDraft(null)
    if (Number.isFinite(wanted) && wanted >= 1 && wanted !== value) onCommit(Math.min(wanted, max ?? wanted))
  })
  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => commit(draft), 600)
    return () => clearTimeout(timer)
  }, [draft])
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-ink-soft">
        {label}
      </label>
      <input
        id={id}
        type="number"
        min={1}
        max={max}
        step={1}
        inputMode="numeric"
        value={draft ?? value}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => draft === '' && setDraft(null)}
        className={`${controlClass.replace('w-full', 'w-20')} text-right`}
      />
    </span>
  )
}
