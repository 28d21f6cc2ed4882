import { Link } from '@tanstack/react-router'
import { Copy, ExternalLink, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { shareAddresses } from '#features/shares/shares.addresses.ts'
import type { OwnShare, shares } from '#features/shares/shares.contract.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** « Mes partages »: the user's public links, with the number of visits of each, and deletion. */
export function SharesPage() {
  const list = useAnswer<typeof shares.list>(shareAddresses.list, {})
  const rows = list.data?.data ?? []
  return (
    <>
      <PageHeader
        title="Mes partages"
        description="Les pages que vous montrez à tous, sans compte. Les lectures y sont comptées sans cookie."
      />
      {list.error && !list.data && (
        <LoadFailure title="Erreur lors du chargement des partages" answer={list} />
      )}
      {list.isPending && <Skeleton className="h-40 w-full" />}
      {list.data && rows.length === 0 && (
        <EmptyState
          title="Rien n’est partagé"
          action={
            <Link to="/prices" className={buttonClass('primary')}>
              Voir les prix
            </Link>
          }
        >
          «&#8239;Partager&#8239;», sous un graphique ou sur la page d’un prix, crée une adresse que chacun
          lit.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {rows.map((share) => (
            <Shared key={share.id} share={share} />
          ))}
        </ul>
      )}
    </>
  )
}

function Shared({ share: { id, url, title, isFrozen, views, createdAt } }: { share: OwnShare }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useAction<typeof shares.remove>(shareAddresses.remove, { onDone: () => setAsking(false) })
  const read = views === 0 ? 'jamais ouvert' : `ouvert ${formatCount(views, 'fois', 'fois')}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          <Badge tone={isFrozen ? 'grey' : 'blue'}>{isFrozen ? 'chiffres figés' : 'chiffres du jour'}</Badge>
          {`${read} depuis le ${formatDate(createdAt)}`}
        </p>
      </div>
      <div className="flex items-center">
        <IconButton
          icon={Copy}
          label={`Copier l’adresse : ${title}`}
          onClick={() => void copyText(url, 'Adresse copiée')}
        />
        <a
          href={url}
          target="_blank"
          rel="noopener"
          className={buttonClass('ghost')}
          aria-label={`Ouvrir : ${title}`}
        >
          <ExternalLink className="size-4" aria-hidden />
        </a>
        <IconButton icon={Trash2} label={`Retirer : ${title}`} onClick={() => setAsking(true)} />
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Retirer ce partage&#8239;?"
        confirmLabel="Retirer"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() => remove.mutate({ params: { id } })}
        onClose={() => setAsking(false)}
      >
        Son adresse ne mènera plus à rien, même là où elle est intégrée à un site.
      </ConfirmDialog>
    </li>
  )
}
