import { LockKeyhole } from 'lucide-react'
import { ApiError, messageOf } from '#web/api.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

type LoadFailureProps = {
  /** « Erreur lors du chargement des marques » */
  title: string
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  compact?: boolean
}

/** In the place of what did not load: what happened, what to do, and the way to try again. */
export function LoadFailure({ title, answer, compact }: LoadFailureProps) {
  const { error, isFetching, refetch } = answer
  // Asking again would change nothing: what to do is in the words.
  if (error instanceof ApiError && (error.status === 402 || error.status === 403)) {
    return (
      <EmptyState title={error.message} icon={LockKeyhole} compact={compact}>
        {title}
      </EmptyState>
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
