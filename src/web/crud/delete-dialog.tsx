import { Link } from '@tanstack/react-router'
import type { Noun } from '#shared/resource.ts'
import type { Usage } from '#web/crud/screens.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { formatCount } from '#web/format.ts'
import type { OfOne } from '#web/forms/row-form.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type DeleteDialogProps = {
  resource: { noun: Noun; remove: OfOne }
  id: number
  /** Name of the row. */
  name: string
  deletionEffect?: string | undefined
  /** The rows that refer to it and prevent its deletion. */
  use?: Usage | null
  onDone?: () => void | Promise<void>
  onClose: () => void
}

/** Asks for confirmation before a delete; shows the server's refusal in the dialog. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { resource, id, name, deletionEffect, use, onDone, onClose } = props
  const words = wordsOf(resource.noun)
  const removal = useAction(resource.remove, { isOfList: true, onDone: onDone ?? onClose })
  if (use) {
    return (
      <Dialog
        open
        size="sm"
        role="alertdialog"
        title={`Supprimer ${words.this}\u202f?`}
        description={quoted(name)}
        onClose={onClose}
        footer={
          <Button onClick={onClose} data-autofocus>
            Fermer
          </Button>
        }
      >
        <p className="text-base sm:text-sm">
          {'Suppression impossible\u00a0: '}
          <Link
            to={use.to}
            search={use.search}
            className="font-medium whitespace-nowrap text-river hover:underline"
          >
            {use.count === undefined ? use.many : formatCount(use.count, use.one, use.many)}
          </Link>
          {use.count === 1 ? ' en dépend.' : ' en dépendent.'}
        </p>
      </Dialog>
    )
  }
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
      {deletionEffect && <p>{deletionEffect}</p>}
    </ConfirmDialog>
  )
}
