import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { changesOf } from '#features/imports/created.rules.ts'
import {
  abandonImport,
  checkImport,
  confirmImport,
  findImport,
  type Import,
  importNoun,
  type StoredReport,
} from '#features/imports/imports.contract.ts'
import { CurrencyQuestion } from '#features/imports/ui/currency-question.tsx'
import { ImportProgressCard, progressLabel } from '#features/imports/ui/import-progress.tsx'
import { Rejections, ReportCard } from '#features/imports/ui/import-report.tsx'
import { amountOf, useImportKinds } from '#features/imports/ui/kinds.ts'
import { MappingCard } from '#features/imports/ui/mapping-card.tsx'
import { NameQuestions } from '#features/imports/ui/name-questions.tsx'
import { isActive, pauseBefore, stateOf } from '#features/imports/ui/states.ts'
import { UndoDialog } from '#features/imports/ui/undo-dialog.tsx'
import { useTitle } from '#web/arrival.ts'
import { BackButton } from '#web/back-button.tsx'
import { RowMissing, ToList } from '#web/crud/row-missing.tsx'
import { formatRelativeTime } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { fileWeight } from '#web/ui/file-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'
import { dismissToast, getToasts, toast } from '#web/ui/toast.ts'
import { isWorkUnsaved } from '#web/unsaved.ts'

/** Shows one import: its progress, its report, and the actions available now. */
export function ImportPage() {
  const { id }: { id?: string } = useParams({ strict: false })
  const answer = useAnswer(
    findImport,
    { params: { id: Number(id) } },
    { pauseMs: (row) => pauseBefore(row && [row]) },
  )
  useTitle(answer.data?.fileName)
  useFreshPagesAfter(answer.data?.state)
  if (answer.data) return <ImportDetail row={answer.data} />
  if (!answer.error) return <PageSkeleton />
  return <RowMissing noun={importNoun} path="/prices/imports" listLabel="Imports" answer={answer} />
}

function ImportDetail({ row }: { row: Import }) {
  const [isAsking, setAsking] = useState(false)
  const { report, state } = row
  const { label, tone } = stateOf(row)
  const added = changesOf(report)
  const canConfirm = state === 'checked' && added > 0
  const isOver = state === 'failed' || state === 'abandoned' || (state === 'checked' && added === 0)
  return (
    <>
      <PageHeader
        title={row.fileName}
        description={descriptionOf(row)}
        back={<BackButton list="/prices/imports" />}
        badge={
          <Badge tone={tone} dot={isActive(row)}>
            {label}
          </Badge>
        }
        actions={<Actions row={row} onUndo={() => setAsking(true)} />}
        primary={
          canConfirm ? (
            <ConfirmButton row={row} added={added} />
          ) : (
            isOver && (
              <Link to="/prices/imports" search={{ kind: row.kind }} className={buttonClass('primary')}>
                Choisir un autre fichier
              </Link>
            )
          )
        }
      />
      {/* Present before its first message: screen readers announce only changes. */}
      <p role="status" className="sr-only">
        {isActive(row) ? progressLabel(row) : label}
      </p>
      {row.failure && <ErrorNote>{row.failure}</ErrorNote>}
      {isActive(row) && <ImportProgressCard row={row} />}
      {state === 'checked' && report && added === 0 && (
        <p className="font-medium">{`Il n’y a rien à ajouter\u00a0: ${whyNothing(report)}.`}</p>
      )}
      <MappingCard key={`columns ${row.id}`} row={row} />
      {report && state !== 'checking' && state !== 'unmapped' && <ReportCard row={row} report={report} />}
      <NameQuestions key={`names ${row.id}`} row={row} />
      <CurrencyQuestion row={row} />
      {report && state !== 'checking' && report.rejected > 0 && <Rejections row={row} report={report} />}
      {isAsking && <UndoDialog row={row} onClose={() => setAsking(false)} />}
    </>
  )
}

function whyNothing({ read, existing, questions }: StoredReport): string {
  if (questions.length > 0) return 'des noms attendent votre décision ci-dessous'
  if (read === 0) return 'ce fichier n’a aucune ligne sous ses titres'
  if (existing > 0) return 'tout ce qui peut être importé est déjà là'
  return 'aucune ligne ne peut être importée telle quelle'
}

function ConfirmButton({ row, added }: { row: Import; added: number }) {
  const attempt = useAttempt()
  const confirm = useAction(confirmImport, { onDone: attempt.end })
  const asked = { params: { id: row.id }, body: { updatedAt: row.updatedAt } }
  return (
    <Button
      variant="primary"
      busy={confirm.isPending}
      onClick={() =>
        isWorkUnsaved()
          ? toast.error('Appliquez d’abord ce que vous avez répondu\u00a0: l’import le perdrait.')
          : confirm.mutate({ ...asked, headers: attempt.headersFor(asked) })
      }
    >
      {`Importer ${amountOf(useImportKinds()[row.kind], added)}`}
    </Button>
  )
}

function Actions({ row, onUndo }: { row: Import; onUndo: () => void }) {
  const abandon = useAction(abandonImport)
  const check = useAction(checkImport)
  const canAbandon = row.state === 'checking' || row.state === 'checked' || row.state === 'unmapped'
  const canUndo = row.state === 'done' && changesOf(row.report) > 0
  return (
    <>
      <ToList path="/prices/imports" label="Imports" />
      {canAbandon && (
        <Button busy={abandon.isPending} onClick={() => abandon.mutate({ params: { id: row.id } })}>
          Abandonner
        </Button>
      )}
      {row.state === 'failed' && row.hasFile && (
        <Button
          busy={check.isPending}
          onClick={() => check.mutate({ params: { id: row.id }, body: { currencyMap: row.currencyMap } })}
        >
          Refaire l’essai
        </Button>
      )}
      {canUndo && <Button onClick={onUndo}>Annuler cet import</Button>}
    </>
  )
}

function descriptionOf({ author, actor, state, fileBytes, createdAt, endedAt }: Import): string {
  const sent = `${fileWeight(fileBytes)}, envoyé ${byWhom(author)}${formatRelativeTime(createdAt).toLowerCase()}`
  if (!endedAt || (state !== 'done' && state !== 'undone')) return `${sent}.`
  const what = state === 'done' ? 'importé' : 'annulé'
  return `${sent}, ${what} ${byWhom(actor)}${formatRelativeTime(endedAt).toLowerCase()}.`
}

function byWhom(person: Import['author']): string {
  return person ? `par ${person.name} ` : ''
}

/** Invalidates all cached queries once a job has ended, since prices, counters and lists may have changed. */
function useFreshPagesAfter(state: Import['state'] | undefined): void {
  const client = useQueryClient()
  const was = useRef(state)
  useEffect(() => {
    const hasEnded = was.current === 'writing' || was.current === 'undoing'
    if (hasEnded && was.current !== state) {
      // Dismisses « L’import commence », which is no longer true.
      for (const { id, kind } of getToasts()) if (kind === 'success') dismissToast(id)
      void client.invalidateQueries()
    }
    was.current = state
  }, [client, state])
}
