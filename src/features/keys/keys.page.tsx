import { Plus } from 'lucide-react'
import { useState } from 'react'
import { keys, type ListedKey, usage } from '#features/keys/keys.contract.ts'
import { scopeWords } from '#features/keys/keys.rules.ts'
import { FirstRequest } from '#features/keys/ui/first-request.tsx'
import { MadeKey } from '#features/keys/ui/made-key.tsx'
import { NewKey } from '#features/keys/ui/new-key.tsx'
import { UsageCard } from '#features/keys/ui/usage-card.tsx'
import { dayMs } from '#shared/days.ts'
import { formatCount, formatDate, formatRelativeTime } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const unusedMs = 60 * dayMs

/** A user's own keys, their calls, and a first request to copy. */
export function KeysPage() {
  const list = useAnswer(keys.list, {})
  const called = useAnswer(usage, {})
  const revoke = useAction(keys.revoke)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<ListedKey | null>(null)
  const again = async () => {
    await Promise.all([list.refetch(), called.refetch()])
  }
  return (
    <>
      <PageHeader
        title="Développeurs"
        description="Les mêmes prix, pour vos programmes et vos tableurs."
        primary={
          <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
            Nouvelle clé
          </Button>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <FirstRequest />
        <UsageCard answer={called} />
        <Card
          title="Clés"
          description="Une clé n’est montrée qu’une fois. Inutilisée depuis 60 jours, elle est à révoquer."
          className="lg:col-span-2"
        >
          {list.error && !list.data && (
            <LoadFailure compact title="Erreur lors du chargement des clés" answer={list} />
          )}
          {list.isPending && <Skeleton className="h-11 w-full" />}
          {list.data?.data.length === 0 && (
            <EmptyState compact title="Aucune clé">
              Une clé laisse un programme lire les prix sans votre mot de passe.
            </EmptyState>
          )}
          <ul className="divide-y divide-line">
            {list.data?.data.map((key) => (
              <li key={key.id} className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{key.name}</span>
                  <span className="block break-all font-mono text-xs text-ink-soft">{key.prefix}</span>
                  <span className="block text-xs text-ink-soft">
                    {key.scopes.map((scope) => scopeWords[scope].toLowerCase()).join(', ')}
                  </span>
                </span>
                <KeyUse apiKey={key} />
                <Button onClick={() => setLeaving(key)}>Révoquer</Button>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      {isMaking && (
        <NewKey
          onMade={(key) => {
            setMade(key)
            void again()
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made && <MadeKey value={made} onClose={() => setMade(null)} />}
      {leaving && (
        <ConfirmDialog
          open
          title={`Révoquer la clé «\u202f${leaving.name}\u202f»\u202f?`}
          confirmLabel="Révoquer"
          busy={revoke.isPending}
          error={revoke.error?.message}
          onClose={() => {
            revoke.reset()
            setLeaving(null)
          }}
          onConfirm={() =>
            revoke.mutate(
              { params: { id: leaving.id } },
              {
                onSuccess: () => {
                  setLeaving(null)
                  return again()
                },
              },
            )
          }
        >
          <p>Les programmes qui l’utilisent n’auront plus de réponse.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** When a key was last used, and its calls of this month. */
function KeyUse({ apiKey: { lastUsedAt, createdAt, expiresAt, calls } }: { apiKey: ListedKey }) {
  const isUnused = Date.now() - Date.parse(lastUsedAt ?? createdAt) > unusedMs
  const used = lastUsedAt
    ? `Dernier appel\u00a0: ${formatRelativeTime(lastUsedAt).toLowerCase()}`
    : 'Jamais utilisée'
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <span className={`text-right text-xs ${isUnused || isOver ? 'text-amber' : 'text-ink-soft'}`}>
      <span className="block">{used}</span>
      <span className="block">{formatCount(calls, 'appel ce mois', 'appels ce mois')}</span>
      {expiresAt && (
        <span className="block">{`${isOver ? 'expirée depuis le' : 'jusqu’au'} ${formatDate(expiresAt)}`}</span>
      )}
    </span>
  )
}
