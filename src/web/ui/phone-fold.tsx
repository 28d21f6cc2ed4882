import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'

type PhoneFoldProps = {
  /** Summary of the content in a line or two: the first figures. */
  summary: ReactNode
  children: ReactNode
}

/** Figures and charts above a list. On a phone they are collapsed to their summary, so that the list comes first. */
export function PhoneFold({ summary, children }: PhoneFoldProps) {
  const isNarrow = useMediaQuery(narrowScreen)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (!isNarrow) return children
  return (
    <div className="space-y-4">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-md border border-line bg-surface px-4 py-1 text-left font-medium"
      >
        <span className="min-w-0 truncate">{summary}</span>
        <ChevronDown className={`size-4 shrink-0 text-ink-soft ${isOpen ? 'rotate-180' : ''}`} aria-hidden />
      </button>
      <div id={id} hidden={!isOpen} className="space-y-4">
        {isOpen && children}
      </div>
    </div>
  )
}
