import { type Transfer, transfers } from '#features/payments/transfers/transfers.contract.ts'
import { formatMoney } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks for confirmation before a pro-forma without a transfer is deleted. */
export function RemoveDialog({ row, onClose }: { row: Transfer; onClose: () => void }) {
  const remove = useAction(transfers.remove, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={`Supprimer la facture pro forma ${row.reference}\u202f?`}
      busy={remove.isPending}
      error={remove.error && statementOf(remove.error)}
      onConfirm={() => remove.mutate({ params: { id: row.id } })}
      onClose={onClose}
    >
      <p>
        {`${row.client}, ${row.plan}, ${formatMoney(row.amount, row.currency)}. Un virement qui porte cette référence ne trouvera plus son client.`}
      </p>
    </ConfirmDialog>
  )
}
