import { CircleAlert, RotateCw, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

type ErrorStateProps = {
  title: string
  message: ReactNode
  onRetry?: () => void
  busy?: boolean
  compact?: boolean
  /** The network is missing: this is not shown as an error in red. */
  isOffline?: boolean
}

/** Replaces content that did not load: what failed, why, and a retry button. */
export function ErrorState(props: ErrorStateProps) {
  const { title, message, onRetry, busy, compact, isOffline } = props
  return (
    <div role="alert" className={`flex flex-col items-center px-4 text-center ${compact ? 'py-6' : 'py-14'}`}>
      {isOffline ? (
        <WifiOff className="size-8 text-ink-soft" aria-hidden />
      ) : (
        <CircleAlert className="size-8 text-red" aria-hidden />
      )}
      <p className="mt-3 text-base font-semibold">{title}</p>
      <p className="mt-1 max-w-prose text-ink-soft">{message}</p>
      {onRetry && (
        <Button icon={RotateCw} busy={busy} onClick={onRetry} className="mt-4">
          Réessayer
        </Button>
      )}
    </div>
  )
}

/** An error message inside a form or a dialog. */
export function ErrorNote({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <p
      role="alert"
      className={`flex gap-2 rounded-md bg-red-soft px-3 py-2.5 text-sm font-medium text-red ${className}`}
    >
      <CircleAlert className="size-5 shrink-0" aria-hidden />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
