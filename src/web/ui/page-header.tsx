import type { ReactNode } from 'react'

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

/** Title, sentence, actions: the head of every page. */
export function PageHeader({ title, description, back, badge, actions, primary }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-prose sm:flex-1 sm:basis-80">
        {back && <div className="mb-2">{back}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
          {badge}
        </div>
        {description && <p className="mt-1 text-ink-soft">{description}</p>}
      </div>
      {(actions || primary) && (
        // On a phone the primary action is elsewhere: alone, it must not leave an empty line here.
        <div className={`flex flex-wrap items-center gap-3 ${actions ? '' : 'max-sm:contents'}`}>
          {actions}
          {primary && (
            <div
              data-primary-action
              className="flex gap-3 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:*:flex-1"
            >
              {primary}
            </div>
          )}
        </div>
      )}
    </header>
  )
}
