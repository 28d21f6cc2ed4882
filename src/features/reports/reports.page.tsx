import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { BulletinBody } from '#features/reports/bulletin-body.view.tsx'
import { type Report, reports } from '#features/reports/reports.contract.ts'
import { monthlyBulletin, newBulletin, scheduleText } from '#features/reports/reports.rules.ts'
import { ReportEditor } from '#features/reports/ui/report-editor.tsx'
import { ShareAndCite } from '#features/shares/ui/share-and-cite.tsx'
import { idFilter } from '#shared/fields.ts'
import { call } from '#web/api.ts'
import { formatDate } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const page = z.object({ report: idFilter })

/** « Mes rapports »: the list, the chosen report with its schedule and issues, and a preview with today's figures. */
export function ReportsPage() {
  const list = useAnswer(reports.list, {})
  const { query, set } = usePageState(page)
  const attempt = useAttempt()
  const create = useAction(reports.create, {
    onDone({ id }) {
      attempt.end()
      set({ report: id })
    },
  })
  const add = (body: ReturnType<typeof newBulletin>) =>
    create.mutate({ body, headers: attempt.headersFor(body) })
  const rows = list.data?.data ?? []
  // Stored, so that a report added before it does not change the selection.
  const [firstId, setFirstId] = useState<number>()
  if (rows[0] && !rows.some(({ id }) => id === firstId)) setFirstId(rows[0].id)
  const chosen = rows.find(({ id }) => id === (query.report ?? firstId))
  const buttons = (
    <>
      <Button busy={create.isPending} onClick={() => add(monthlyBulletin())}>
        Bulletin mensuel
      </Button>
      <Button variant="primary" busy={create.isPending} onClick={() => add(newBulletin())}>
        Nouveau rapport
      </Button>
    </>
  )
  return (
    <>
      <PageHeader
        title="Mes rapports"
        description="Un bulletin qui part seul, à ceux que vous choisissez."
        primary={rows.length > 0 && <div className="flex flex-wrap gap-2">{buttons}</div>}
      />
      {list.error && !list.data && (
        <LoadFailure title="Erreur lors du chargement des rapports" answer={list} />
      )}
      {list.isPending && <Skeleton className="h-40 w-full" />}
      {list.data && rows.length === 0 && (
        <EmptyState title="Aucun rapport encore" action={buttons}>
          «&#8239;Bulletin mensuel&#8239;» est prêt à envoyer&nbsp;: le mois en chiffres, la carte, les prix,
          la méthode. Ou composez le vôtre.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(22rem,27rem)_minmax(0,1fr)]">
          <div className="min-w-0 space-y-6">
            <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
              {rows.map((report) => (
                <Entry
                  key={report.id}
                  report={report}
                  isChosen={report === chosen}
                  onChoose={() => report !== chosen && set({ report: report.id })}
                />
              ))}
            </ul>
            {chosen && (
              <ReportEditor
                key={chosen.id}
                report={chosen}
                onRemoved={() => set({ report: rows.find(({ id }) => id !== chosen.id)?.id })}
              />
            )}
          </div>
          {chosen && <Preview key={chosen.id} report={chosen} />}
          {!chosen && !list.isFetching && (
            <EmptyState title="Ce rapport n’existe plus">
              Choisissez-en un autre dans la liste, ou composez-en un.
            </EmptyState>
          )}
        </div>
      )}
    </>
  )
}

const states: Record<NonNullable<Report['lastIssue']>['state'], { tone: Tone; word: string }> = {
  planned: { tone: 'blue', word: 'en préparation' },
  made: { tone: 'blue', word: 'fait' },
  sent: { tone: 'green', word: 'envoyé' },
  skipped: { tone: 'grey', word: 'sauté' },
  failed: { tone: 'red', word: 'échec' },
}

type EntryProps = { report: Report; isChosen: boolean; onChoose: () => void }

function Entry({ report: { title, schedule, nextAt, lastIssue }, isChosen, onChoose }: EntryProps) {
  const state = lastIssue && states[lastIssue.state]
  return (
    <li className={isChosen ? 'bg-river-soft' : ''}>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="flex min-h-14 w-full items-center justify-between gap-4 px-4 py-3 text-left sm:px-5"
      >
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{title}</span>
          <span className="block text-sm text-ink-soft">
            {[
              scheduleText(schedule),
              nextAt && `prochain\u00a0: ${formatDate(nextAt)}`,
              (lastIssue?.state === 'skipped' || lastIssue?.state === 'failed') && lastIssue.reason,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        {state && <Badge tone={state.tone}>{state.word}</Badge>}
      </button>
    </li>
  )
}

/** The report with today's figures. */
function Preview({ report: { id, title, blocks } }: { report: Report }) {
  const answer = useQuery({
    queryKey: [reports.preview.path, title, blocks],
    queryFn: ({ signal }) => call(reports.preview, { body: { title, blocks }, signal }),
    placeholderData: (before) => before,
  })
  return (
    <div className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-sm text-ink-soft" role="status">
          {answer.isFetching
            ? 'Calcul des chiffres d’aujourd’hui…'
            : 'La page, avec les chiffres d’aujourd’hui'}
        </p>
        <ShareAndCite title={title} address={{ path: '/rapports', search: `report=${id}` }} />
      </div>
      {answer.error && !answer.data && (
        <LoadFailure title="Erreur lors du calcul de l’aperçu" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-96 w-full" />}
      {answer.data && <BulletinBody content={answer.data.content} />}
    </div>
  )
}
