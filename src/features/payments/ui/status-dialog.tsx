import { type ComponentProps, useState } from 'react'
import {
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  setPaymentStatus,
} from '#features/payments/payments.contract.ts'
import { isToVerify, mayFollow, opensNothing } from '#features/payments/payments.rules.ts'
import { optionsOf } from '#shared/options.ts'
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
  return (
    <Dialog
      open
      size="sm"
      title="Changer le statut du paiement"
      busy={change.isPending}
      error={change.error && statementOf(change.error)}
      submitDisabled={(status === row.status && !isDecision) || (isRefund && reason.trim() === '')}
      onSubmit={() =>
        change.mutate({ params: { id: row.id }, body: { status, reason, updated_at: row.updated_at } })
      }
      onClose={onClose}
    >
      <SelectField
        label="Statut"
        options={statusesAfter(row.status)}
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
      {status === 'PAID' && row.status !== 'PAID' && row.planId === null && (
        <p className="mt-3 text-ink-soft">{planFirst}</p>
      )}
      {isRefund && (
        <RefundReason row={row} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      )}
    </Dialog>
  )
}

export const planFirst =
  'Un paiement ne prolonge pas un essai sans plan\u00a0: créez d’abord un abonnement avec le plan payé.'

/** The statuses to choose from for a payment; for one that is not created yet, those of a pending one. */
export const statusesAfter = (before: PaymentStatus = 'PENDING') =>
  optionsOf(paymentStatuses).filter(({ value }) => mayFollow(before, value as PaymentStatus))

type RefundReasonProps = { row: Payment } & Partial<ComponentProps<typeof TextField>>

/** The amount and the payer of a refund, its consequences, and a field for its reason. */
export function RefundReason({ row, ...field }: RefundReasonProps) {
  return (
    <div>
      <p className="mt-3 font-medium wrap-anywhere">
        {`Rembourser ${formatMoney(row.amount, row.currency)} à ${row.user.name} (${row.user.email})`}
      </p>
      <p className="mt-1 mb-3 text-ink-soft">
        L’abonnement que ce paiement a ouvert est annulé ; les périodes payées qui devaient le suivre
        commencent plus tôt. Un paiement remboursé ne change plus.
      </p>
      <TextField {...field} label="Motif" maxLength={500} required />
    </div>
  )
}
