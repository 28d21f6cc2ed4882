import { useState } from 'react'
import { type Transfer, transfers } from '#features/payments/transfers/transfers.contract.ts'
import { RecordDialog } from '#features/payments/transfers/ui/record-dialog.tsx'
import type { Difference } from '#features/reconciliation/reconciliation.contract.ts'
import { formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

type AttachDialogProps = {
  line: NonNullable<Difference['line']>
  given: { amount: string; bankReference: string; receivedOn: string } | undefined
  onClose: () => void
}

/** Finds the pro-forma that a bank row pays, then records the transfer for it. */
export function AttachDialog({ line, given, onClose }: AttachDialogProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Transfer | null>(null)
  const answer = useAnswer(
    transfers.list,
    { query: { search: search || undefined, limit: 10 } },
    { keepsPrevious: true },
  )
  const { data } = answer
  if (chosen) return <RecordDialog row={chosen} given={given} onClose={onClose} />
  return (
    <Dialog
      open
      title={'Qui a fait ce virement\u202f?'}
      description={`${line.label || line.reference}. Choisissez la facture pro forma que cet argent paie.`}
      footer={<Button onClick={onClose}>Fermer</Button>}
      onClose={onClose}
    >
      <SearchField
        label="Rechercher une facture pro forma"
        placeholder="Référence, client, plan"
        value={search}
        onChange={setSearch}
      />
      {answer.error && !answer.isPlaceholderData && !data && (
        <LoadFailure compact title="Erreur lors du chargement des factures pro forma" answer={answer} />
      )}
      <ul className="mt-3 space-y-2">
        {data?.data.map((row) => {
          const isOther = line.currency !== null && line.currency !== row.currency
          return (
            <li key={row.id}>
              <Button
                className="h-auto w-full justify-start py-2 text-left"
                disabled={isOther}
                onClick={() => setChosen(row)}
              >
                {`${row.reference}, ${row.client}\u00a0: reste ${formatMoney(row.remaining, row.currency)} sur ${formatMoney(row.amount, row.currency)}${isOther ? ', autre devise que la ligne' : ''}`}
              </Button>
            </li>
          )
        })}
      </ul>
      {data?.data.length === 0 && (
        <p className="mt-3 text-ink-soft">Aucune facture pro forma ne correspond.</p>
      )}
    </Dialog>
  )
}
