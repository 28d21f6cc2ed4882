import { Skeleton } from '#web/ui/skeleton.tsx'

/** Placeholder of a card that is loading. */
export function CardSkeleton({ className = '' }: { className?: string }) {
  return (
    <div className={`rounded-md border border-line bg-surface p-4 sm:px-5 ${className}`}>
      <Skeleton className="h-5 w-40" />
      {['w-4/5', 'w-3/5', 'w-4/5', 'w-2/5'].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing but its lines
        <Skeleton key={index} className={`mt-7 h-4 ${width}`} />
      ))}
    </div>
  )
}
