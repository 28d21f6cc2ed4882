import { useState } from 'react'
import {
  type Transfer,
  type TransferReceipt,
  transfers,
} from '#features/payments/transfers/transfers.contract.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ReceiptsDialogProps = { row: Transfer; onClose: () => void }

/** Amounts received for a pro-forma, and cancellations. */
export function ReceiptsDialog({ row, onClose }: ReceiptsDialogProps) {
  const [chosen, setChosen] = useState<TransferReceipt | null>(null)
  const answer = useAnswer(transfers.receipts, { params: { id: row.id } })
  if (chosen) return <CancelDialog row={row} receipt={chosen} onClose={onClose} />
  return (
    <Dialog
      open
      title={`Virements pour ${row.reference}`}
      description={`${row.client}\u00a0: ${formatMoney(row.received, row.currency)} reçus sur ${formatMoney(row.amount, row.currency)}.`}
      footer={<Button onClick={onClose}>Fermer</Button>}
      onClose={onClose}
    >
      {answer.isPending && <Skeleton className="h-16 w-full" />}
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des virements" answer={answer} />
      )}
      {answer.data?.data.length === 0 && <p className="text-ink-soft">Aucun virement n’est enregistré.</p>}
      <ul className="divide-y divide-line">
        {answer.data?.data.map((receipt) => (
          <li key={receipt.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div className="min-w-0 flex-1 basis-48">
              <p className={`font-medium tabular-nums ${receipt.isCancelled ? 'line-through' : ''}`}>
                {formatMoney(receipt.amount, row.currency)}
              </p>
              <p className="text-sm wrap-anywhere text-ink-soft">
                {`${formatDate(receipt.receivedOn)}, ${receipt.bankReference}`}
                {receipt.isCancelled && ', annulé'}
                {receipt.reason && `, annulation\u00a0: ${receipt.reason}`}
              </p>
            </div>
            {!receipt.isCancelled && receipt.reason === null && (
              <Button
                aria-label={`Annuler le virement ${receipt.bankReference}`}
                onClick={() => setChosen(receipt)}
              >
                Annuler
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function CancelDialog({ row, receipt, onClose }: ReceiptsDialogProps & { receipt: TransferReceipt }) {
  const [reason, setReason] = useState('')
  const cancel = useAction(transfers.cancel, { onDone: onClose })
  const isRefund = row.state === 'paid' && row.received - receipt.amount < row.amount
  return (
    <Dialog
      open
      size="sm"
      tone="danger"
      title="Annuler ce virement"
      submitLabel="Annuler le virement"
      cancelLabel="Garder le virement"
      busy={cancel.isPending}
      error={cancel.error && statementOf(cancel.error)}
      submitDisabled={reason.trim() === ''}
      dirty={reason !== ''}
      onSubmit={() => cancel.mutate({ params: { id: row.id }, body: { receiptId: receipt.id, reason } })}
      onClose={onClose}
    >
      <p className="mb-4 wrap-anywhere">
        {`${formatMoney(receipt.amount, row.currency)} de ${row.client}, référence ${receipt.bankReference}. Une écriture contraire s’ajoute\u202f; la même référence pourra être enregistrée de nouveau.`}
      </p>
      {isRefund && (
        <p className="mb-4 rounded-md bg-amber-soft px-4 py-3 text-amber">
          {
            'La somme n’y sera plus\u00a0: le paiement est remboursé, un avoir est émis, et l’abonnement qu’il a ouvert est annulé.'
          }
        </p>
      )}
      <TextField
        label="Motif"
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}
