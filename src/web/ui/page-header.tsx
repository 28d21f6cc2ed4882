import { Ellipsis } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { NARROW, useMediaQuery } from '#web/ui/media-query.ts'

type PageHeaderProps = {
  title: string
  /** One sentence that says what the page is for. */
  description?: ReactNode
  /** A link back, above the title. */
  back?: ReactNode
  /** Beside the title: a status badge. */
  badge?: ReactNode
  /** Secondary actions, always beside the title. */
  actions?: ReactNode
  /** The one thing this page is for: at the right, and under the thumb on a phone. */
  primary?: ReactNode
}

/** Title, sentence, actions: the head of every page. On a phone the secondary actions unfold from a « … » button. */
export function PageHeader({ title, description, back, badge, actions, primary }: PageHeaderProps) {
  const isNarrow = useMediaQuery(NARROW)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:gap-y-4">
      <div className="min-w-0 flex-1 sm:max-w-prose sm:basis-80">
        {back && <div className="mb-2">{back}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
          {badge}
        </div>
        {description && (
          // Where there is something to search in, a phone has no room for what the page is for.
          <p className="mt-1 text-ink-soft max-sm:in-[main:has(search)]:hidden">{description}</p>
        )}
      </div>
      {actions && isNarrow && (
        <IconButton
          icon={Ellipsis}
          label="Autres actions"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-my-1"
        />
      )}
      {(actions || primary) && (
        // On a phone the primary action is elsewhere: alone, it must not leave an empty line here.
        <div
          className={`flex flex-wrap items-center gap-3 ${actions ? 'max-sm:basis-full' : ''} ${actions && isOpen ? '' : 'max-sm:contents'}`}
        >
          {actions && (
            <div id={id} hidden={isNarrow && !isOpen} className="contents [[hidden]]:hidden">
              {actions}
            </div>
          )}
          {primary && (
            <div
              data-primary-action
              className="flex gap-3 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-(--bottom-bar) max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-3 max-sm:*:flex-1"
            >
              {primary}
            </div>
          )}
        </div>
      )}
    </header>
  )
}
