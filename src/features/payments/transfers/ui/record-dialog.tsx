import { useForm } from 'react-hook-form'
import { type Transfer, transfers } from '#features/payments/transfers/transfers.contract.ts'
import { dayInKinshasa } from '#shared/days.ts'
import { formatMoney, formatTyped } from '#web/format.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { AmountField, DateField, TextField } from '#web/ui/inputs.tsx'

type RecordDialogProps = {
  row: Transfer
  /** Values from a bank statement. */
  given?: { amount: string; bankReference: string; receivedOn: string } | undefined
  onClose: () => void
}

/** Records an amount received for a reference. */
export function RecordDialog({ row, given, onClose }: RecordDialogProps) {
  const { register, ...form } = useForm({
    defaultValues: given ?? {
      amount: formatTyped(row.remaining),
      bankReference: '',
      receivedOn: dayInKinshasa(new Date()),
    },
    shouldFocusError: false,
  })
  const record = useAction(transfers.record)
  const { errors } = form.formState
  return (
    <SaveDialog
      title={`Virement pour ${row.reference}`}
      submitLabel="Enregistrer"
      form={{ register, ...form }}
      onSave={async (body) => {
        // The server reads the amount as it was typed, which the contract types as a number.
        await record.mutateAsync({ params: { id: row.id }, body: body as never })
      }}
      onClose={onClose}
    >
      <p className="text-ink-soft">
        {`${row.client}\u00a0: ${formatMoney(row.received, row.currency)} reçus sur ${formatMoney(row.amount, row.currency)}.`}
      </p>
      <AmountField
        label="Montant reçu"
        unit={row.currency === 'CDF' ? 'FC' : '$US'}
        required
        error={errors.amount?.message}
        {...register('amount')}
      />
      <TextField
        label="Référence bancaire"
        hint={'Celle du relevé de la banque\u00a0: un même virement ne s’enregistre qu’une fois.'}
        required
        maxLength={100}
        error={errors.bankReference?.message}
        {...register('bankReference')}
      />
      <DateField label="Reçu le" required error={errors.receivedOn?.message} {...register('receivedOn')} />
    </SaveDialog>
  )
}
