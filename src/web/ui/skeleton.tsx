import type { ReactNode } from 'react'

/**
 * A grey placeholder with the size of what is loading, or of a text of similar length inside it. Hidden from screen
 * readers: the region around it is marked as busy.
 */
export function Skeleton({ className = 'h-4 w-24', children }: { className?: string; children?: ReactNode }) {
  return (
    <span aria-hidden className={`block max-w-full animate-skeleton rounded-md bg-line ${className}`}>
      {children !== undefined && <span className="invisible">{children}</span>}
    </span>
  )
}

/** Placeholder of a page whose code is loading. */
export function PageSkeleton() {
  return (
    <div role="status" className="space-y-6">
      <span className="sr-only">Chargement...</span>
      <Skeleton className="h-8 w-64 max-w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-80 w-full" />
    </div>
  )
}

// A permanent overlay rather than an opacity: creating and removing layers at each response takes longer than drawing
// the content.

/** Classes of content that may be dimmed. */
export const dimmable = 'relative isolate after:pointer-events-none after:absolute after:inset-0'

/** Classes of content that is older than the current request. */
export const dimmed = 'after:bg-surface/45'
