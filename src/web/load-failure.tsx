import { useQueryClient } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState } from 'react'
import { ApiError, messageOf, withoutStop } from '#web/api.ts'
import { formatTime } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { isWorkUnsaved } from '#web/unsaved.ts'

/** Called by a part of a page that must be paid for. */
const Unpaid = createContext<((message: string) => void) | null>(null)

type PaidPageProps = {
  /** Address of the page: at another address, the data are requested again. */
  path: string
  title: string
  /** Link offered when access is refused. */
  wayOut: ReactNode
  children: ReactNode
}

/** Wraps a page: when a part of it must be paid for, a single message replaces the whole page. */
export function PaidPage({ path, title, wayOut, children }: PaidPageProps) {
  const [refused, setRefused] = useState<{ path: string; message: string } | null>(null)
  const isRefused = refused?.path === path
  useEffect(() => {
    if (!isRefused) return
    // A user who returns to the tab may have paid meanwhile.
    const askAgain = () => setRefused(null)
    window.addEventListener('focus', askAgain)
    return () => window.removeEventListener('focus', askAgain)
  }, [isRefused])
  if (isRefused) {
    return (
      <>
        <PageHeader title={title} />
        <EmptyState title={refused.message} icon={LockKeyhole} action={wayOut} />
      </>
    )
  }
  const refuse = (message: string) => {
    // Replacing the page would close an open form and lose its input.
    if (!isWorkUnsaved()) setRefused({ path, message })
  }
  return <Unpaid value={refuse}>{children}</Unpaid>
}

type LoadFailureProps = {
  /** « Erreur lors du chargement des marques » */
  title: string
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  compact?: boolean
}

/** Replaces content that did not load: says what happened and what to do, with a retry button. */
export function LoadFailure({ title, answer, compact }: LoadFailureProps) {
  const refuse = useEffectEvent(use(Unpaid) ?? (() => {}))
  const client = useQueryClient()
  const { error, isFetching, refetch } = answer
  const unpaid = error instanceof ApiError && error.status === 402 ? error.message : null
  useEffect(() => {
    if (unpaid !== null) refuse(unpaid)
  }, [unpaid])
  // A retry would fail again: the message says what to do instead.
  if (error instanceof ApiError && (error.status === 402 || error.status === 403)) {
    return <EmptyState title={error.message} icon={LockKeyhole} compact={compact} />
  }
  const retry = () => {
    void refetch()
    // Also retries the other failed requests of the page.
    const failed = {
      type: 'active',
      predicate: ({ state }: { state: { status: string } }) => state.status === 'error',
    } as const
    void client.refetchQueries(failed, { cancelRefetch: false })
  }
  return (
    <ErrorState
      title={title}
      message={reasonOf(error)}
      isOffline={error instanceof ApiError && error.isUnanswered}
      busy={isFetching}
      onRetry={retry}
      compact={compact}
    />
  )
}

/** Returns the reason for the user; for an invalid filter, without the API's parameter name. */
function reasonOf(error: Error | null): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.isUnanswered) return 'Veuillez vérifier votre connexion et réessayer.'
  return error.faults.map(({ message }) => message).join('. ') || error.message
}

type RefreshFailureProps = { answer: LoadFailureProps['answer'] & { dataUpdatedAt: number } }

/** Shown above content that remains on screen although it could not be refreshed. */
export function RefreshFailure({
  answer: { error, isFetching, refetch, dataUpdatedAt },
}: RefreshFailureProps) {
  const isUnanswered = error instanceof ApiError && error.isUnanswered
  const reason = isUnanswered ? 'vérifiez votre connexion' : withoutStop(messageOf(error))
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 text-ink-soft">
      <span>{`Mise à jour impossible\u00a0: ${reason}. Affiché\u00a0: données de ${formatTime(dataUpdatedAt)}.`}</span>
      <Button variant="ghost" busy={isFetching} onClick={() => void refetch()}>
        Réessayer
      </Button>
    </p>
  )
}
