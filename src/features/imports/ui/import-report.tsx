import { Download } from 'lucide-react'
import { useState } from 'react'
import { createdNames, createdText } from '#features/imports/created.rules.ts'
import { type Import, rejectedLines, type StoredReport } from '#features/imports/imports.contract.ts'
import { useImportKinds } from '#features/imports/ui/kinds.ts'
import { messageOf } from '#web/api.ts'
import { download } from '#web/download.ts'
import { formatCount, formatNumber, plural } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { toast } from '#web/ui/toast.ts'

const mostErrorsShown = 10
const written = { added: 'Ajoutés', revised: 'Révisés', before: 'Déjà là avec une autre valeur' }
/** The labels of the counts once the import is written, and once it is undone. */
const labels: Partial<Record<Import['state'], typeof written>> = {
  done: written,
  undoing: written,
  undone: { added: 'Retirés', revised: 'Rétablis', before: 'De nouveau à leur ancienne valeur' },
}
const toWrite: typeof written = { ...written, added: 'À ajouter', revised: 'À réviser' }
const rejectedText =
  'Une ligne rejetée n’empêche pas d’importer les autres. Un fichier corrigé peut être envoyé de nouveau\u00a0: seul ce qui manque est ajouté.'

/** Shows the outcome of a reading: counts, and what it creates. */
export function ReportCard({ row, report }: { row: Import; report: StoredReport }) {
  const { noun, adds } = useImportKinds()[row.kind]
  const created = createdText(report.created, adds)
  const words = labels[row.state] ?? toWrite
  const isRevising = report.revised > 0
  return (
    <>
      <Counters
        label="Rapport"
        // At most four counts: if some rows are revised, the number of rows read is shown below.
        items={[
          ...(isRevising ? [] : [{ key: 'read', label: 'Lignes lues', value: formatNumber(report.read) }]),
          {
            key: 'added',
            label: words.added,
            value: formatNumber(report.added),
            unit: plural(report.added, ...noun),
            basis: isRevising && `Sur ${formatCount(report.read, 'ligne lue', 'lignes lues')}`,
          },
          ...(isRevising
            ? [
                {
                  key: 'revised',
                  label: words.revised,
                  value: formatNumber(report.revised),
                  unit: plural(report.revised, ...noun),
                  basis: words.before,
                },
              ]
            : []),
          { key: 'existing', label: 'Déjà là', value: formatNumber(report.existing) },
          { key: 'rejected', label: 'Rejetées', value: formatNumber(report.rejected) },
        ]}
      />
      {report.notes.map((note) => (
        <p key={note} className="text-ink-soft">
          {note}
        </p>
      ))}
      {report.withdrawn > 0 && <p className="text-ink-soft">{withdrawnText(report.withdrawn)}</p>}
      {created && row.state !== 'undone' && (
        <details className="text-ink-soft">
          <summary className="cursor-pointer">{`${row.state in labels ? 'Également créé' : 'À créer également'}\u00a0: ${created}.`}</summary>
          <dl className="mt-2 space-y-2">
            {createdNames(report.created, report.names).map(({ label, text }) => (
              <div key={label}>
                <dt className="font-medium">{label}</dt>
                <dd className="wrap-anywhere">{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

function withdrawnText(count: number): string {
  const what =
    count > 1 ? 'relevés d’un fichier précédent sont retirés' : 'relevé d’un fichier précédent est retiré'
  return `${formatNumber(count)}\u00a0${what} du fichier\u202f; ce qui est enregistré reste en place.`
}

/** Shows why rows were rejected, with the link to download them all. */
export function Rejections({ row, report }: { row: Import; report: StoredReport }) {
  const { rejected, rejectedKept, errors } = report
  const shown = errors.slice(0, mostErrorsShown)
  return (
    <Card
      title={formatCount(rejected, 'ligne rejetée', 'lignes rejetées')}
      description={
        row.hasFile && rejectedKept < rejected
          ? `${rejectedText} Le fichier des lignes rejetées contient les ${formatNumber(rejectedKept)} premières.`
          : rejectedText
      }
      actions={row.hasFile && <RejectedDownload id={row.id} />}
    >
      <div className="grid gap-6 lg:grid-cols-2">
        <section aria-labelledby="reasons">
          <h3 id="reasons" className="font-semibold">
            Motifs
          </h3>
          <ul className="mt-2 divide-y divide-line">
            {report.reasons.slice(0, 10).map(({ message, count, example }) => (
              <li key={message} className="flex justify-between gap-4 py-2">
                <span className="min-w-0 wrap-anywhere">{message}</span>
                <span className="shrink-0 text-end text-ink-soft tabular-nums">
                  {formatCount(count, 'ligne', 'lignes')}
                  <br />
                  {`ex. ligne\u00a0${formatNumber(example.line)}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="first-lines">
          <h3 id="first-lines" className="font-semibold">
            {shown.length < rejected ? `Les ${shown.length} premières lignes` : 'Lignes'}
          </h3>
          <ul className="mt-2 divide-y divide-line">
            {shown.map(({ line, message }) => (
              <li key={`${line} ${message}`} className="flex gap-4 py-2">
                <span className="w-20 shrink-0 text-ink-soft tabular-nums">{`Ligne\u00a0${formatNumber(line)}`}</span>
                <span className="min-w-0 wrap-anywhere">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Card>
  )
}

function RejectedDownload({ id }: { id: number }) {
  const [isBusy, setBusy] = useState(false)
  async function save(): Promise<void> {
    setBusy(true)
    try {
      await download(rejectedLines, { params: { id }, signal: new AbortController().signal }, () => {})
    } catch (error) {
      toast.error(messageOf(error), 'Erreur lors du téléchargement')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={Download} busy={isBusy} onClick={() => void save()}>
      Télécharger les lignes rejetées
    </Button>
  )
}
