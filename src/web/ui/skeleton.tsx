import type { ReactNode } from 'react'

/**
 * A grey stand-in with the size of what is loading, or of something as long inside it. Silent: the region around it says
 * that it is busy.
 */
export function Skeleton({ className = 'h-4 w-24', children }: { className?: string; children?: ReactNode }) {
  return (
    <span aria-hidden className={`block max-w-full animate-skeleton rounded-md bg-line ${className}`}>
      {children !== undefined && <span className="invisible">{children}</span>}
    </span>
  )
}

/** A page that loads, before its kind is loaded. */
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

// A veil that is always there rather than an opacity: layers that come and go with each answer take longer than drawing
// what it says.

/** Of what can be older than what is asked for. */
export const dimmable = 'relative isolate after:pointer-events-none after:absolute after:inset-0'

/** While what is shown is older than what is asked for. */
export const dimmed = 'after:bg-surface/45'
