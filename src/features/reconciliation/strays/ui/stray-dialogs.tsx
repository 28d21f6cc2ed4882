import { useState } from 'react'
import { paymentStatuses } from '#features/payments/payments.contract.ts'
import type { Difference } from '#features/reconciliation/reconciliation.contract.ts'
import { type Stray, strays } from '#features/reconciliation/strays/strays.contract.ts'
import { formatDateTime, formatMoney } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type Line = NonNullable<Difference['line']>
type Candidate = Difference['candidates'][number]

type SettleProps = { provider: Stray['provider']; line: Line; onClose: () => void }

function receiptOf(provider: Stray['provider'], { key, amount, currency, day }: Line) {
  return {
    provider,
    reference: key,
    amount: Number(amount),
    receivedOn: day,
    // Statements of providers always give the currency.
    currency: currency ?? 'USD',
  }
}

/** Dialog that attaches a receipt to a payment, which opens the payment's subscription. */
export function AdoptDialog({
  provider,
  line,
  candidates,
  onClose,
}: SettleProps & { candidates: Candidate[] }) {
  const settle = useAction(strays.settle, { onDone: onClose })
  const [chosen, setChosen] = useState(candidates.length === 1 ? String(candidates[0]?.id) : '')
  const payment = candidates.find(({ id }) => String(id) === chosen)
  return (
    <Dialog
      open
      size="sm"
      title="Rattacher l’argent à un paiement"
      submitLabel="Rattacher"
      busy={settle.isPending}
      error={settle.error && statementOf(settle.error)}
      submitDisabled={!payment}
      onSubmit={() =>
        settle.mutate({
          body: { ...receiptOf(provider, line), paymentId: payment?.id, phone: line.phone ?? undefined },
        })
      }
      onClose={onClose}
    >
      {candidates.length > 1 && (
        <SelectField
          label="Paiement"
          options={[
            { value: '', label: 'Choisir' },
            ...candidates.map((each) => ({
              value: String(each.id),
              label: `${each.client}, ${formatDateTime(each.createdAt)}`,
            })),
          ]}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      {payment && (
        <p className="mt-3 font-medium wrap-anywhere">
          {`${formatMoney(payment.amount, payment.currency)} de ${payment.client}, ${paymentStatuses[payment.status].toLowerCase()}, demandé le ${formatDateTime(payment.createdAt)}`}
        </p>
      )}
      <p className="mt-2 text-ink-soft">
        Le paiement devient payé, son abonnement s’ouvre, et l’abonné reçoit son reçu et sa facture. Cela ne
        se défait que par un remboursement.
      </p>
    </Dialog>
  )
}

/** Dialog that marks a receipt without a payment as to be refunded. */
export function ReturnDialog({ provider, line, onClose }: SettleProps) {
  const settle = useAction(strays.settle, { onDone: onClose })
  const amount = formatMoney(Number(line.amount), line.currency ?? 'USD')
  return (
    <NoteDialog
      title={`Noter ${amount} à rembourser`}
      label="Ce que vous savez de cet argent"
      hint={'Par exemple\u00a0: client inconnu, payé deux fois'}
      submitLabel="Noter à rembourser"
      action={settle}
      onSubmit={(note) => settle.mutate({ body: { ...receiptOf(provider, line), note } })}
      onClose={onClose}
    >
      {'Rien ne part d’ici\u00a0: vous rendez l’argent chez l’opérateur, puis vous notez que c’est fait.'}
    </NoteDialog>
  )
}

/** Dialog that marks a receipt as refunded. */
export function ReturnedDialog({ row, onClose }: { row: Stray; onClose: () => void }) {
  const refund = useAction(strays.refund, { onDone: onClose })
  return (
    <NoteDialog
      title={`${formatMoney(row.amount, row.currency)} sont rendus`}
      label="Comment l’argent a été rendu"
      hint={'Par exemple\u00a0: référence du remboursement chez l’opérateur'}
      submitLabel="Noter le remboursement"
      action={refund}
      onSubmit={(note) => refund.mutate({ params: { id: row.id }, body: { note } })}
      onClose={onClose}
    >
      {`Référence chez l’opérateur\u00a0: ${row.reference}. Ce qui est noté remboursé ne change plus.`}
    </NoteDialog>
  )
}

type NoteDialogProps = {
  title: string
  label: string
  hint: string
  submitLabel: string
  action: { isPending: boolean; error: Error | null }
  children: string
  onSubmit: (note: string) => void
  onClose: () => void
}

function NoteDialog({ action, children, label, hint, onSubmit, ...dialog }: NoteDialogProps) {
  const [note, setNote] = useState('')
  return (
    <Dialog
      open
      size="sm"
      {...dialog}
      busy={action.isPending}
      error={action.error && statementOf(action.error)}
      submitDisabled={note.trim() === ''}
      dirty={note !== ''}
      onSubmit={() => onSubmit(note)}
    >
      <p className="mb-3 text-ink-soft wrap-anywhere">{children}</p>
      <TextField
        label={label}
        hint={hint}
        required
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  )
}
