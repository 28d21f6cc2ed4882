import { ownAccount } from '#features/account/account.contract.ts'
import { deviceOf } from '#shared/device.ts'
import { formatDateTime } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The user's sessions, each with a button to end it. */
export function OwnSessions() {
  const answer = useAnswer(ownAccount.sessions, {})
  const end = useAction(ownAccount.endSession)
  return (
    <Card
      title="Sessions actives"
      description="Les appareils où votre compte est ouvert. Un téléphone de relevé ne fait que relever et lire des prix."
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des sessions" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-11 w-full" />}
      <ul className="divide-y divide-line">
        {answer.data?.data.map((session) => (
          <li key={session.id} className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {session.device ?? deviceOf(session.userAgent)}
                {session.device && <Badge>Relevés</Badge>}
                {session.isCurrent && <Badge tone="green">Cette session</Badge>}
              </span>
              <span className="block text-xs text-ink-soft">
                {session.device
                  ? `Ajouté le ${formatDateTime(session.createdAt)}, utilisé le ${formatDateTime(session.seenAt)}`
                  : `Ouverte le ${formatDateTime(session.createdAt)}, renouvelée le ${formatDateTime(session.seenAt)}`}
                {session.address && ` depuis ${session.address}`}
              </span>
            </span>
            {!session.isCurrent && (
              <Button
                busy={end.isPending && end.variables?.params?.id === session.id}
                onClick={() => end.mutate({ params: { id: session.id } })}
              >
                Déconnecter
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
