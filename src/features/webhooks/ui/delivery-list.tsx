import { RotateCcw } from 'lucide-react'
import { type WebhookDelivery, webhooks } from '#features/webhooks/webhooks.contract.ts'
import { formatCount, formatDateTime, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const states: Record<WebhookDelivery['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'En attente', tone: 'blue' },
  done: { label: 'Arrivé', tone: 'green' },
  'given up': { label: 'Abandonné', tone: 'red' },
  refused: { label: 'Non envoyé', tone: 'amber' },
  held: { label: 'Retenu', tone: 'grey' },
}

const hidden =
  'Ce message porte des prix, et votre accès aux prix n’est pas ouvert\u00a0: il n’est pas montré.'

/** The last messages of a webhook, each with its request and response. */
export function DeliveryList({ webhookId, isActive }: { webhookId: number; isActive: boolean }) {
  const params = { id: webhookId }
  const list = useAnswer(webhooks.deliveries, { params }, { pauseMs: pauseWhile })
  const replay = useAction(webhooks.replay)
  if (list.error && !list.data) {
    return <LoadFailure compact title="Erreur lors du chargement des messages" answer={list} />
  }
  if (!list.data) return <Skeleton className="h-24 w-full" />
  if (list.data.data.length === 0) return <p className="text-sm text-ink-soft">Aucun message encore.</p>
  return (
    <ul className="divide-y divide-line">
      {list.data.data.map((delivery) => (
        <li key={delivery.id}>
          <details>
            <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <Badge tone={states[delivery.state].tone}>{states[delivery.state].label}</Badge>
              <span className="font-mono text-sm">{delivery.event}</span>
              <span className="text-xs text-ink-soft">{formatDateTime(delivery.createdAt)}</span>
              <span className="ml-auto text-xs text-ink-soft">{resultOf(delivery)}</span>
            </summary>
            <div className="space-y-3 pb-4">
              {delivery.dueAt && delivery.attempts > 0 && (
                <p className="text-sm">{`Prochaine tentative\u00a0: ${formatDateTime(delivery.dueAt)}`}</p>
              )}
              <Sent
                label={`Demande (webhook-id\u00a0: ${delivery.messageId})`}
                text={delivery.request === '' ? hidden : indented(delivery.request)}
              />
              <Sent label="Réponse" text={delivery.failure ?? delivery.answer ?? ''} />
              {isActive && (delivery.state !== 'waiting' || delivery.attempts > 0) && (
                <Button
                  icon={RotateCcw}
                  busy={replay.isPending}
                  onClick={() => replay.mutate({ params, body: { deliveryId: delivery.id } })}
                >
                  {delivery.state === 'waiting' ? 'Réessayer maintenant' : 'Rejouer'}
                </Button>
              )}
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}

/** Returns the polling interval: short while a message is being sent, else as long as that of the webhook’s state. */
function pauseWhile(answer: { data: readonly WebhookDelivery[] } | undefined): number {
  const isSending = answer?.data.some(({ state, attempts }) => state === 'waiting' && attempts <= 1)
  return isSending ? 2_000 : 10_000
}

function resultOf({ attempts, status, failure, durationMs }: WebhookDelivery): string {
  if (attempts === 0 && !failure) return ''
  const answered = status === null ? (failure ?? 'sans réponse') : `réponse ${status}`
  const lasted = durationMs === null ? '' : ` en ${formatNumber(durationMs)}\u00a0ms`
  return `${answered}${lasted}, ${formatCount(attempts, 'tentative', 'tentatives')}`
}

function Sent({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="text-xs font-semibold text-ink-soft">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard.
        tabIndex={0}
        className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs"
      >
        {text || '(vide)'}
      </pre>
    </div>
  )
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
