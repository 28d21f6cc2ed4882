import { KeyRound, Pencil, Power, RotateCcw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DeliveryList } from '#features/webhooks/ui/delivery-list.tsx'
import { type Webhook, webhooks } from '#features/webhooks/webhooks.contract.ts'
import { formerSecretHours, webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { formatDateTime, formatRelativeTime } from '#web/format.ts'
import { useAction } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type WebhookCardProps = { webhook: Webhook; onEdit: () => void; onSecret: (secret: string) => void }

/** A webhook: its state, its actions, and its last messages. */
export function WebhookCard({ webhook, onEdit, onSecret }: WebhookCardProps) {
  const { isActive, url } = webhook
  const params = { id: webhook.id }
  const update = useAction(webhooks.update)
  const test = useAction(webhooks.test)
  const replay = useAction(webhooks.replay)
  const [asked, setAsked] = useState<'secret' | 'remove' | null>(null)
  const close = () => setAsked(null)
  const renew = useAction(webhooks.renewSecret, {
    onDone({ secret }) {
      close()
      onSecret(secret)
    },
  })
  const remove = useAction(webhooks.remove, { onDone: close })
  return (
    <Card
      title={<span className="break-all font-mono text-sm">{url}</span>}
      description={webhook.events.map((event) => webhookEvents[event].label).join(', ')}
      actions={<Health webhook={webhook} />}
    >
      <div className="mb-4 flex flex-wrap gap-2">
        {isActive && (
          <>
            <Button icon={Send} busy={test.isPending} onClick={() => test.mutate({ params })}>
              Envoyer un essai
            </Button>
            <Button
              icon={RotateCcw}
              busy={replay.isPending}
              onClick={() => replay.mutate({ params, body: {} })}
            >
              Rejouer ce qui n’est pas arrivé
            </Button>
          </>
        )}
        <Button
          icon={Power}
          busy={update.isPending}
          onClick={() => update.mutate({ params, body: { isActive: !isActive } })}
        >
          {isActive ? 'Désactiver' : 'Réactiver'}
        </Button>
        <Button icon={Pencil} onClick={onEdit}>
          Modifier
        </Button>
        <Button icon={KeyRound} onClick={() => setAsked('secret')}>
          Changer le secret
        </Button>
        <Button icon={Trash2} onClick={() => setAsked('remove')}>
          Supprimer
        </Button>
      </div>
      <h3 className="mb-1 text-sm font-semibold">Derniers messages</h3>
      <DeliveryList webhookId={webhook.id} isActive={isActive} />
      <ConfirmDialog
        open={asked === 'remove'}
        title="Supprimer ce webhook&#8239;?"
        busy={remove.isPending}
        error={remove.error?.message}
        onClose={close}
        onConfirm={() => remove.mutate({ params })}
      >
        <p>Ses messages, arrivés ou non, sont supprimés avec lui.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'secret'}
        title="Changer le secret&#8239;?"
        confirmLabel="Changer le secret"
        irreversible={false}
        busy={renew.isPending}
        error={renew.error?.message}
        onClose={close}
        onConfirm={() => renew.mutate({ params })}
      >
        <p>{`L’ancien secret signe aussi les messages pendant ${formerSecretHours}\u00a0heures.`}</p>
      </ConfirmDialog>
    </Card>
  )
}

const reasons = {
  owner: 'Désactivé',
  gone: 'Désactivé\u00a0: l’adresse a répondu 410',
  failing: 'Désactivé\u00a0: cinq jours sans succès',
}

function Health({ webhook: { disabledBecause, failingSince, lastDoneAt } }: { webhook: Webhook }) {
  if (disabledBecause) return <Badge tone="grey">{reasons[disabledBecause]}</Badge>
  if (failingSince) return <Badge tone="red">{`En échec depuis le ${formatDateTime(failingSince)}`}</Badge>
  if (!lastDoneAt) return <Badge tone="blue">Actif, rien d’envoyé encore</Badge>
  return (
    <Badge tone="green">{`Actif, dernier message ${formatRelativeTime(lastDoneAt).toLowerCase()}`}</Badge>
  )
}
