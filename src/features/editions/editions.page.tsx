import { useState } from 'react'
import { type Edition, editions } from '#features/editions/editions.contract.ts'
import { monthName } from '#features/editions/editions.rules.ts'
import { Citation } from '#features/editions/ui/citation.tsx'
import { EditionFiles } from '#features/editions/ui/edition-files.tsx'
import { capitalise, formatCount, formatDate } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Interval of checks whether a requested edition is there, and for how long they go on. */
const pauseMs = 10_000
const longestMakingMs = 10 * 60_000

/** Shows the monthly editions, the latest first; superseded ones on request. */
export function EditionsPage() {
  const { permissions } = useUser()
  const publish = useAction(editions.publish)
  const isAwaited = () => publish.isSuccess && Date.now() - publish.submittedAt < longestMakingMs
  const list = useAnswer(editions.list, {}, { pauseMs: () => isAwaited() && pauseMs })
  const [showsAll, setShowsAll] = useState(false)
  const all = list.data?.data ?? []
  const shown = showsAll ? all : all.filter(({ supersededBy }) => supersededBy === null)
  const superseded = all.length - shown.length
  return (
    <>
      <PageHeader
        title="Données"
        description="Chaque mois, tous les relevés jusqu’à son dernier jour, dans des fichiers qui ne changent jamais."
        primary={
          permissions.includes('prices.import') && (
            <Button variant="primary" busy={publish.isPending} onClick={() => publish.mutate({ body: {} })}>
              Publier le dernier mois
            </Button>
          )
        }
      />
      <div className="space-y-6">
        {list.error && !list.data && (
          <LoadFailure title="Erreur lors du chargement des éditions" answer={list} />
        )}
        {list.isPending && <Skeleton className="h-40 w-full" />}
        {list.data && all.length === 0 && (
          <EmptyState title="Aucune édition encore">
            La première paraît la nuit, trois jours après la fin du mois.
          </EmptyState>
        )}
        {shown.map((edition) => (
          <EditionCard key={edition.number} edition={edition} />
        ))}
        {superseded > 0 && (
          <Button onClick={() => setShowsAll(true)}>
            {`Montrer aussi ${formatCount(superseded, 'édition remplacée', 'éditions remplacées')}`}
          </Button>
        )}
      </div>
    </>
  )
}

function EditionCard({ edition }: { edition: Edition }) {
  const { number, month, rows, lastDay, createdAt, method, supersededBy } = edition
  return (
    <Card
      title={`${capitalise(monthName(month))}, édition ${number}`}
      description={`${formatCount(rows, 'relevé', 'relevés')} jusqu’au ${formatDate(lastDay)}. Parue le ${formatDate(createdAt)}. Méthode, ${method}.`}
      actions={
        supersededBy !== null && <Badge tone="amber">{`Remplacée par l’édition ${supersededBy}`}</Badge>
      }
    >
      <EditionFiles edition={edition} />
      <Citation citation={edition.citation} />
    </Card>
  )
}
