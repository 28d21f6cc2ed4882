import { type NotificationKind, notifications } from '#features/auth/notifications/notifications.contract.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/inputs.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const words: Record<NotificationKind, { label: string; hint: string }> = {
  'subscription-reminders': {
    label: 'La fin de mon abonnement approche',
    hint: 'Sept jours avant, trois jours avant, le jour même, puis un et trois jours après.',
  },
  'price-alerts': {
    label: 'Alertes de prix',
    hint: 'Ce qui fait sonner vos alertes, au plus un e-mail par heure.',
  },
  'sign-ins': {
    label: 'Chaque connexion à mon compte',
    hint: 'L’appareil et l’heure, pour remarquer une connexion qui n’est pas la vôtre.',
  },
}

/** The optional mails; those about security are always sent. */
export function NotificationChoices() {
  const answer = useAnswer(notifications.read, {})
  const choose = useAction(notifications.choose)
  return (
    <Card
      title="Notifications par e-mail"
      description="Ce qui concerne la sécurité de votre compte vous est toujours écrit."
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des notifications" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-11 w-full" />}
      {answer.data?.data.map(({ kind, isWanted }) => (
        <Checkbox
          key={kind}
          {...words[kind]}
          checked={isWanted}
          disabled={choose.isPending}
          onChange={() => choose.mutate({ body: { kind, isWanted: !isWanted } })}
        />
      ))}
    </Card>
  )
}
