import { changesOf, createdText } from '#features/imports/created.rules.ts'
import { type Import, undoImport } from '#features/imports/imports.contract.ts'
import type { ImportWords } from '#features/imports/report.contract.ts'
import { amountOf, useImportKinds } from '#features/imports/ui/kinds.ts'
import { quoted } from '#web/crud/words.ts'
import { statementOf, useAction } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks for confirmation before everything that an import wrote is undone. */
export function UndoDialog({ row, onClose }: { row: Import; onClose: () => void }) {
  const undo = useAction(undoImport, { onDone: onClose })
  const words = useImportKinds()[row.kind]
  const created = row.report ? createdText(row.report.created, words.adds) : ''
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
      <p>{removalOf(row, words)}</p>
      {created && (
        <p>{`Ce qui a été créé en même temps (${created}) part aussi, sauf ce qui a été modifié depuis ou sert ailleurs.`}</p>
      )}
    </ConfirmDialog>
  )
}

function removalOf({ report }: Import, words: ImportWords): string {
  const added = changesOf(report)
  if (report && report.revised > 0) {
    const revised = `${amountOf(words, report.revised)} ${report.revised > 1 ? 'reprendront leur ancienne valeur' : 'reprendra son ancienne valeur'}`
    return `${report.added > 0 ? `${amountOf(words, report.added)} ajouté${report.added > 1 ? 's seront retirés' : ' sera retiré'}, ` : ''}${revised}, si rien n’en a été modifié depuis.`
  }
  return added === 1
    ? `${amountOf(words, added)} sera retiré, s’il n’a pas été modifié depuis.`
    : `${amountOf(words, added)} seront retirés, si aucun n’a été modifié depuis.`
}
