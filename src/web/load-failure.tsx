import { LockKeyhole } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { ApiError, messageOf } from '#web/api.ts'
import { formatTime } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Where to go from what has to be paid for: main knows. */
export const WayOut = createContext<ReactNode>(null)

type LoadFailureProps = {
  /** « Erreur lors du chargement des marques » */
  title: string
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  compact?: boolean
}

/** In the place of what did not load: what happened, what to do, and the way to try again. */
export function LoadFailure({ title, answer, compact }: LoadFailureProps) {
  const wayOut = use(WayOut)
  const { error, isFetching, refetch } = answer
  // Asking again would change nothing: what to do is in the words.
  if (error instanceof ApiError && (error.status === 402 || error.status === 403)) {
    return (
      <EmptyState
        title={error.message}
        icon={LockKeyhole}
        compact={compact}
        action={error.status === 402 && wayOut}
      />
    )
  }
  const isUnanswered = error instanceof ApiError && error.isUnanswered
  return (
    <ErrorState
      title={title}
      message={isUnanswered ? 'Veuillez vérifier votre connexion et réessayer.' : messageOf(error)}
      busy={isFetching}
      onRetry={() => void refetch()}
      compact={compact}
    />
  )
}

type RefreshFailureProps = { answer: LoadFailureProps['answer'] & { dataUpdatedAt: number } }

/** Above what stays on screen although it could not be made fresh. */
export function RefreshFailure({
  answer: { error, isFetching, refetch, dataUpdatedAt },
}: RefreshFailureProps) {
  const isUnanswered = error instanceof ApiError && error.isUnanswered
  const reason = isUnanswered ? 'vérifiez votre connexion' : messageOf(error)
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 text-ink-soft">
      <span>{`Mise à jour impossible\u00a0: ${reason}. Affiché\u00a0: données de ${formatTime(dataUpdatedAt)}.`}</span>
      <Button variant="ghost" busy={isFetching} onClick={() => void refetch()}>
        Réessayer
      </Button>
    </p>
  )
}
