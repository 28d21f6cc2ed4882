import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import {
  reconciliation,
  type StatementSource,
  statementSource,
} from '#features/reconciliation/reconciliation.contract.ts'
import { statements } from '#features/reconciliation/statements.rules.ts'
import { StrayCard } from '#features/reconciliation/strays/ui/stray-card.tsx'
import { DifferenceList } from '#features/reconciliation/ui/difference-list.tsx'
import type { AnswerOf } from '#shared/contract.ts'
import { call } from '#web/api.ts'
import { formatDate, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CardSkeleton } from '#web/ui/card-skeleton.tsx'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

/** Interval of refetching while doubts remain: a provider answers a check within seconds. */
const askedAgainMs = 10_000

/** Compares our payments with the statements of providers and banks: the differences, each with its action. */
export function ReconciliationPage() {
  const doubts = useAnswer(
    reconciliation.doubts,
    {},
    { pauseMs: (answer) => (answer && answer.total > 0 ? askedAgainMs : false) },
  )
  return (
    <>
      <PageHeader
        title="Rapprochement"
        description="Ce que nous avons écrit, comparé à ce que disent l’opérateur et la banque. Les différences seules sont montrées."
      />
      <Card
        title="Paiements en doute"
        description="L’opérateur n’a pas conclu en quinze minutes, ou se contredit."
        padded={false}
      >
        {doubts.error && !doubts.data && (
          <LoadFailure title="Erreur lors du chargement des paiements en doute" answer={doubts} />
        )}
        {doubts.isPending && <CardSkeleton />}
        {doubts.data && (
          <DifferenceList
            label="Paiements en doute"
            {...doubts.data}
            whenEmpty="Aucun paiement n’est en doute."
          />
        )}
      </Card>
      <StrayCard />
      <StatementCard />
    </>
  )
}

const accept = '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const sources = statementSource.options.map((value) => ({ value, label: statements[value].label }))

function StatementCard() {
  const [source, setSource] = useState<StatementSource>('pawapay')
  const [given, setGiven] = useState<{ file: File; stamp: number } | null>(null)
  const compared = useQuery({
    // Invalidated by every action on the page, so that resolved differences disappear.
    queryKey: [reconciliation.compare.path, source, given?.stamp ?? null],
    queryFn: ({ signal }) => {
      const body = new FormData()
      if (given) body.set('file', given.file)
      return call(reconciliation.compare, { query: { source }, body, signal })
    },
    enabled: given !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card
      title="Comparer un relevé"
      description={'Le fichier est lu et comparé\u202f; rien n’est enregistré.'}
      padded
    >
      <div className="space-y-4">
        <Segmented
          label="Source du relevé"
          options={sources}
          value={source}
          onChange={(next) => {
            setSource(next)
            setGiven(null)
          }}
        />
        <DropZone
          label="Choisir un relevé ou le déposer ici"
          hint={`CSV ou XLSX, 5\u00a0Mo au plus. Colonnes\u00a0: ${statements[source].table.titled}.`}
          accept={accept}
          disabled={compared.isLoading}
          onFile={(file) => setGiven({ file, stamp: Date.now() })}
        />
        {given && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 font-medium wrap-anywhere">{given.file.name}</p>
            <Button icon={RotateCw} busy={compared.isFetching} onClick={() => void compared.refetch()}>
              Comparer de nouveau
            </Button>
          </div>
        )}
        {compared.error && <ErrorNote>{statementOf(compared.error)}</ErrorNote>}
        {/* Stays when a refresh fails, so that an open dialog keeps its input. */}
        {compared.data && <Compared answer={compared.data} source={source} />}
      </div>
    </Card>
  )
}

type Answer = AnswerOf<typeof reconciliation.compare>

function Compared({ answer, source }: { answer: Answer; source: StatementSource }) {
  const { differences, total, faults, faultCount } = answer
  return (
    <div className="space-y-4">
      <p role="status">{summaryOf(answer)}</p>
      {faultCount > 0 && (
        <details className="rounded-md bg-amber-soft px-3 py-2.5 text-sm text-amber">
          <summary className="cursor-pointer font-medium">
            {faultCount > 1
              ? `${formatNumber(faultCount)} lignes ne se lisent pas`
              : 'Une ligne ne se lit pas'}
          </summary>
          <ul className="mt-2 space-y-1">
            {faults.map(({ number, reason }) => (
              <li key={number} className="wrap-anywhere">{`Ligne ${number}\u00a0: ${reason}`}</li>
            ))}
          </ul>
        </details>
      )}
      <div className="-mx-4 border-t border-line pt-2 sm:-mx-5">
        <DifferenceList
          label="Différences avec le relevé"
          source={source}
          differences={differences}
          total={total}
          whenEmpty="Tout concorde."
        />
      </div>
    </div>
  )
}

function summaryOf({ read, matched, ignored, total, from, to }: Answer): string {
  const lines = (count: number, one: string, many: string) =>
    `${formatNumber(count)} ${count > 1 ? many : one}`
  const period = from && to ? ` du ${formatDate(from)} au ${formatDate(to)}` : ''
  return `${lines(read, 'ligne lue', 'lignes lues')}${period}\u00a0: ${lines(matched, 'concorde', 'concordent')}, ${lines(ignored, 'laissée de côté', 'laissées de côté')}, ${lines(total, 'différence', 'différences')}.`
}
