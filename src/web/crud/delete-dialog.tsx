import type { Noun } from '#shared/resource.ts'
import type { OfOne } from '#web/crud/screens.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { statementOf, useAction } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type DeleteDialogProps = {
  resource: { noun: Noun; remove: OfOne }
  id: number
  /** What it is called. */
  name: string
  onDone?: () => void | Promise<void>
  onClose: () => void
}

/** The question before a delete; what the server refuses is said inside. */
export function DeleteDialog({ resource, id, name, onDone, onClose }: DeleteDialogProps) {
  const words = wordsOf(resource.noun)
  const removal = useAction(resource.remove, { errors: 'both', onDone: onDone ?? onClose })
  return (
    <ConfirmDialog
      open
      title={`Supprimer ${words.this}\u202f?`}
      busy={removal.isPending}
      error={removal.error && statementOf(removal.error)}
      onConfirm={() => removal.mutate({ params: { id } })}
      onClose={onClose}
    >
      <p>{`Êtes-vous sûr de vouloir supprimer ${words.the} ${quoted(name)}\u202f?`}</p>
    </ConfirmDialog>
  )
}
