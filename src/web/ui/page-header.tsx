import { Ellipsis } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { useOverflow } from '#web/ui/use-overflow.ts'

type PageHeaderProps = {
  title: string
  /** One sentence that says what the page is for. */
  description?: ReactNode
  /** A link back, above the title. */
  back?: ReactNode
  /** Content next to the title: a status badge. */
  badge?: ReactNode
  /** Secondary actions, always beside the title. */
  actions?: ReactNode
  /** The main action of the page: on the right, and at the bottom of the screen on phones. */
  primary?: ReactNode
}

const folding = ['actions']

/**
 * The head of every page: title, sentence, actions. Secondary actions go into a « … » menu on phones, and wherever they
 * would need a second row.
 */
export function PageHeader({ title, description, back, badge, actions, primary }: PageHeaderProps) {
  const isNarrow = useMediaQuery(narrowScreen)
  const [frame, , leftOut] = useOverflow(actions ? folding : undefined)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isFolded = isNarrow || leftOut.length > 0
  return (
    <header ref={frame}>
      <div className={`flex items-end gap-x-3 gap-y-3 sm:gap-y-4 ${actions && !isFolded ? '' : 'flex-wrap'}`}>
        <div className="mr-auto min-w-0 flex-1 sm:max-w-prose sm:min-w-64 sm:pr-3">
          {back && <div className="mb-2">{back}</div>}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
            {badge}
          </div>
          {description && (
            // With a search field, a phone has no space for the description.
            <p className="mt-1 text-ink-soft max-sm:in-[main:has(search)]:hidden">{description}</p>
          )}
        </div>
        {actions && isFolded && (
          <IconButton
            icon={Ellipsis}
            label="Autres actions"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="max-sm:-my-1"
          />
        )}
        {actions && (
          <div
            id={id}
            hidden={isFolded && !isOpen}
            className={`flex gap-3 [[hidden]]:hidden ${isFolded ? 'order-last basis-full flex-wrap sm:justify-end' : 'shrink-0'}`}
          >
            {actions}
          </div>
        )}
        {primary && (
          <div
            data-primary-action
            className="flex shrink-0 gap-3 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-(--bottom-bar) max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-3 max-sm:*:flex-1"
          >
            {primary}
          </div>
        )}
      </div>
    </header>
  )
}
