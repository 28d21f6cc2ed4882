import { useState } from 'react'
import {
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  setPaymentStatus,
} from '#features/payments/payments.contract.ts'
import { isToVerify, mayFollow, opensNothing } from '#features/payments/payments.rules.ts'
import { formatMoney } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

/** Changes the status of a payment to one of those allowed. */
export function StatusDialog({ row, onClose }: { row: Payment; onClose: () => void }) {
  const [status, setStatus] = useState<PaymentStatus>(row.status)
  const [reason, setReason] = useState('')
  const isRefund = status === 'REFUNDED' && row.status !== 'REFUNDED'
  const change = useAction(setPaymentStatus, { onDone: onClose })
  // A failed payment that was then reported as paid must be confirmed as failed explicitly.
  const isDecision = isToVerify(row) && status !== 'PENDING'
  const options = (Object.keys(paymentStatuses) as PaymentStatus[])
    .filter((each) => mayFollow(row.status, each))
    .map((value) => ({ value, label: paymentStatuses[value] }))
  return (
    <Dialog
      open
      size="sm"
      title="Changer le statut du paiement"
      busy={change.isPending}
      error={change.error && statementOf(change.error)}
      submitDisabled={(status === row.status && !isDecision) || (isRefund && reason.trim() === '')}
      onSubmit={() =>
        change.mutate({ params: { id: row.id }, body: isRefund ? { status, reason } : { status } })
      }
      onClose={onClose}
    >
      <SelectField
        label="Statut"
        options={options}
        value={status}
        onChange={(event) => setStatus(event.currentTarget.value as PaymentStatus)}
      />
      {isDecision && (
        <p className="mt-3 text-ink-soft">
          La vérification est close, et l’abonné voit ce qu’il en est.
          {status === 'PAID' &&
            (opensNothing(row)
              ? ' Aucun abonnement ne s’ouvre\u00a0: remboursez-le ensuite.'
              : ' Son abonnement s’ouvre.')}
        </p>
      )}
      {isRefund && (
        <>
          <p className="mt-3 font-medium wrap-anywhere">
            {`Rembourser ${formatMoney(row.amount, row.currency)} à ${row.user.name} (${row.user.email})`}
          </p>
          <p className="mt-1 text-ink-soft">
            L’abonnement que ce paiement a ouvert est annulé ; les périodes payées qui devaient le suivre
            commencent plus tôt. Un paiement remboursé ne change plus.
          </p>
          <div className="mt-3">
            <TextField
              label="Motif"
              value={reason}
              maxLength={500}
              required
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          </div>
        </>
      )}
    </Dialog>
  )
}
