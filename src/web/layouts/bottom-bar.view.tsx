import type { ReactNode } from 'react'

/** Container of the bottom bar on phones. `clear-bottom-bar` reserves its space in the page. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <nav
      aria-label="Navigation"
      data-bottom-bar
      className="no-print fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {children}
    </nav>
  )
}

/** Classes of a link or button of the bar; `aria-current` marks the current page. */
export const bottomItemClass =
  'flex h-14 w-full flex-col items-center justify-center gap-0.5 text-xs text-ink-soft -outline-offset-2 hover:text-ink aria-[current]:font-medium aria-[current]:text-river'
