import { type Import, undoImport } from '#features/imports/imports.contract.ts'
import { createdText } from '#features/imports/ui/created.ts'
import { countOf } from '#features/imports/ui/kinds.ts'
import { quoted } from '#web/crud/words.ts'
import { statementOf, useAction } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** The last question before everything that an import wrote is taken back. */
export function UndoDialog({ row, onClose }: { row: Import; onClose: () => void }) {
  const undo = useAction(undoImport, { errors: 'inline', onDone: onClose })
  const created = row.report ? createdText(row.kind, row.report.created) : ''
  return (
    <ConfirmDialog
      open
      title={`Annuler l’import ${quoted(row.fileName)}\u202f?`}
      confirmLabel="Annuler l’import"
      cancelLabel="Garder l’import"
      busy={undo.isPending}
      error={undo.error ? statementOf(undo.error) : null}
      onConfirm={() => undo.mutate({ params: { id: row.id } })}
      onClose={onClose}
    >
      <p>{removalOf(row)}</p>
      {created && (
        <p>{`Ce qui a été créé en même temps (${created}) part aussi, sauf ce qui a été modifié depuis ou sert ailleurs.`}</p>
      )}
    </ConfirmDialog>
  )
}

function removalOf({ kind, report }: Import): string {
  const added = report?.added ?? 0
  return added === 1
    ? `${countOf(kind, added)} sera retiré, s’il n’a pas été modifié depuis.`
    : `${countOf(kind, added)} seront retirés, si aucun n’a été modifié depuis.`
}
