import { Plus } from 'lucide-react'
import { useState } from 'react'
import { MadeKey } from '#features/keys/ui/made-key.tsx'
import { WebhookCard } from '#features/webhooks/ui/webhook-card.tsx'
import { WebhookForm } from '#features/webhooks/ui/webhook-form.tsx'
import { type Webhook, webhooks } from '#features/webhooks/webhooks.contract.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** A user's webhooks, each with its last messages. */
export function WebhooksPage() {
  const list = useAnswer(webhooks.list, {}, { pauseMs: () => 10_000 })
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Vos programmes apprennent aussitôt ce qui change, sans le demander."
        primary={
          <Button variant="primary" icon={Plus} onClick={() => setEdited('new')}>
            Nouveau webhook
          </Button>
        }
      />
      <div className="space-y-6">
        {list.error && !list.data && (
          <LoadFailure title="Erreur lors du chargement des webhooks" answer={list} />
        )}
        {list.isPending && <Skeleton className="h-40 w-full" />}
        {list.data?.data.length === 0 && (
          <EmptyState title="Aucun webhook">
            Donnez une adresse de votre serveur&nbsp;: chaque prix ajouté, modifié ou supprimé lui est envoyé,
            signé.
          </EmptyState>
        )}
        {list.data?.data.map((webhook) => (
          <WebhookCard
            key={webhook.id}
            webhook={webhook}
            onEdit={() => setEdited(webhook)}
            onSecret={setSecret}
          />
        ))}
      </div>
      {edited && (
        <WebhookForm
          webhook={edited === 'new' ? undefined : edited}
          onMade={setSecret}
          onClose={() => setEdited(null)}
        />
      )}
      {secret && <MadeKey of="webhook" value={secret} onClose={() => setSecret(null)} />}
    </>
  )
}
