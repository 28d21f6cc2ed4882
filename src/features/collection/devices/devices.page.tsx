import { useState } from 'react'
import { type Device, devices } from '#features/collection/devices/devices.contract.ts'
import { mostPerPage } from '#shared/fields.ts'
import { formatDate, formatRelativeTime } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The phones of agents; a supervisor revokes a lost one. */
export function DevicesPage() {
  const { permissions } = useUser()
  const list = useAnswer(devices.list, {})
  const revoke = useAction(devices.revoke)
  const [leaving, setLeaving] = useState<Device | null>(null)
  return (
    <>
      <PageHeader
        title="Appareils"
        description="Les téléphones qui relèvent des prix sur le terrain, et restent connectés sans réseau."
      />
      {list.error && !list.data && (
        <LoadFailure title="Erreur lors du chargement des appareils" answer={list} />
      )}
      {list.isPending && <Skeleton className="h-40 w-full" />}
      {list.data?.data.length === 0 && (
        <EmptyState title="Aucun appareil">
          Un téléphone apparaît ici quand un agent s’y connecte à la collecte.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <Card
          title="Téléphones"
          description={`Inutilisé pendant 30\u00a0jours, un téléphone est oublié.${list.data.data.length >= mostPerPage.session ? ` Voici les ${mostPerPage.session} derniers qui ont servi.` : ''}`}
        >
          <ul className="divide-y divide-line">
            {list.data.data.map((device) => (
              <li key={device.id} className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium wrap-anywhere">{device.user.name}</span>
                  <span className="block text-sm text-ink-soft wrap-anywhere">{device.name}</span>
                </span>
                <span className="text-right text-xs text-ink-soft">
                  <span className="block">
                    {`Dernier envoi\u00a0: ${formatRelativeTime(device.lastUsedAt).toLowerCase()}`}
                  </span>
                  <span className="block">{`depuis le ${formatDate(device.createdAt)}`}</span>
                </span>
                {permissions.includes('collection.write') && (
                  <Button
                    aria-label={`Révoquer ${device.name} de ${device.user.name}`}
                    onClick={() => {
                      // The error of the former phone is not about this one.
                      revoke.reset()
                      setLeaving(device)
                    }}
                  >
                    Révoquer
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {leaving && (
        <ConfirmDialog
          open
          title={`Révoquer «\u202f${leaving.name}\u202f» de ${leaving.user.name}\u202f?`}
          confirmLabel="Révoquer"
          busy={revoke.isPending}
          error={revoke.error?.message}
          onClose={() => setLeaving(null)}
          onConfirm={() =>
            revoke.mutate({ params: { id: leaving.id } }, { onSuccess: () => setLeaving(null) })
          }
        >
          <p>Il n’enverra plus rien. Ce qui n’est pas encore envoyé reste sur le téléphone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
