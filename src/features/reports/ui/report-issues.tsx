import { useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useEffect } from 'react'
import { type ReportIssue, reports } from '#features/reports/reports.contract.ts'
import { formatCount, formatDateTime } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const busyMs = 2_000
/** An issue with mails is under way until it is sent or failed; one without mails stays made. */
const isUnderWay = ({ state, deliveries }: ReportIssue) =>
  state === 'planned' || (state === 'made' && Object.values(deliveries).some((count) => count > 0))

type ReportIssuesProps = {
  id: number
  /** State of the last issue in the list of reports. */
  listed: ReportIssue['state'] | undefined
  /** Whether the report has changes that are not saved, which an issue would not contain. */
  isUnsaved: boolean
}

/** « Éditions du rapport »: each with its page, its files and the results of its mails. */
export function ReportIssues({ id, listed, isUnsaved }: ReportIssuesProps) {
  const list = useAnswer(
    reports.issues,
    { params: { id } },
    { pauseMs: (answer) => (answer?.data.some(isUnderWay) ? busyMs : false) },
  )
  const attempt = useAttempt()
  const make = useAction(reports.makeIssue, { onDone: attempt.end })
  const ask = (to: 'owner' | 'recipients') =>
    make.mutate({ params: { id }, body: { to }, headers: attempt.headersFor({ id, to }) })
  const rows = list.data?.data ?? []
  const client = useQueryClient()
  const state = rows[0]?.state
  useEffect(() => {
    if (state && state !== listed) void client.invalidateQueries({ queryKey: [reports.list.path] })
  }, [client, state, listed])
  return (
    <Card title="Éditions du rapport" padded={false}>
      <div className="flex flex-wrap gap-3 px-4 pb-4 sm:px-5">
        <Button icon={Send} disabled={isUnsaved} busy={make.isPending} onClick={() => ask('owner')}>
          M’envoyer un essai
        </Button>
        <Button disabled={isUnsaved} busy={make.isPending} onClick={() => ask('recipients')}>
          Envoyer maintenant
        </Button>
        {isUnsaved && (
          <p className="w-full text-sm text-ink-soft">
            Enregistrez d’abord&nbsp;: un envoi contient le rapport enregistré.
          </p>
        )}
      </div>
      {list.error && !list.data && (
        <LoadFailure compact title="Erreur lors du chargement des éditions" answer={list} />
      )}
      {list.isPending && <Skeleton className="mx-4 h-24" />}
      {list.data && rows.length === 0 && (
        <EmptyState compact title="Aucune édition encore">
          Chaque envoi reste ici, avec son adresse et ses fichiers.
        </EmptyState>
      )}
      <ul className="divide-y divide-line border-t border-line">
        {rows.map((issue) => (
          <Issue key={issue.id} issue={issue} />
        ))}
      </ul>
    </Card>
  )
}

function Issue({ issue: { plannedAt, state, reason, url, files, deliveries } }: { issue: ReportIssue }) {
  const { sent, waiting, refused, expired, unknown } = deliveries
  const ends = [
    sent > 0 && `${sent} remis`,
    refused > 0 && formatCount(refused, 'refusé', 'refusés'),
    expired > 0 && formatCount(expired, 'abandonné', 'abandonnés'),
    unknown > 0 && formatCount(unknown, 'au sort inconnu', 'au sort inconnu'),
    waiting > 0 && formatCount(waiting, 'en attente', 'en attente'),
  ].filter(Boolean)
  const isFlawed = refused + expired + unknown > 0 || state === 'failed'
  return (
    <li className="px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {url ? (
          <a href={url} className="inline-block py-1 text-river hover:underline">
            {formatDateTime(plannedAt)}
          </a>
        ) : (
          <span className="py-1">{formatDateTime(plannedAt)}</span>
        )}
        <Badge tone={isFlawed ? 'amber' : state === 'sent' ? 'green' : 'grey'}>
          {ends.length > 0 ? ends.join(', ') : words[state]}
        </Badge>
        <span className="flex gap-3">
          {files.map(({ format, url: href }) => (
            <a key={format} href={href} className="inline-block py-1 text-river underline">
              {format.toUpperCase()}
            </a>
          ))}
        </span>
      </div>
      {reason && <p className="text-sm text-ink-soft">{reason}</p>}
    </li>
  )
}

const words = {
  planned: 'en préparation',
  made: 'sans envoi',
  sent: 'envoyé',
  skipped: 'sauté',
  failed: 'échec',
}
