import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  /** A question with the name of the row: « Supprimer la marque « Bralima » ? ». */
  title: string
  /** Consequences of the action: « Ses 12 produits n’auront plus de marque. » */
  children?: ReactNode
  confirmLabel?: string
  cancelLabel?: string
  irreversible?: boolean
  busy?: boolean
  error?: string | null
  onConfirm: () => void
  onClose: () => void
}

/**
 * Asks for confirmation before a loss of data. The focus starts on the cancel button; only the confirm button is red.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { irreversible = true, busy, error } = props
  return (
    <Dialog
      open={props.open}
      size="sm"
      role="alertdialog"
      title={props.title}
      onClose={props.onClose}
      busy={busy}
      error={error}
      footer={
        <>
          <Button onClick={props.onClose} disabled={busy} data-autofocus>
            {props.cancelLabel ?? 'Annuler'}
          </Button>
          <Button variant={irreversible ? 'danger' : 'primary'} busy={busy} onClick={props.onConfirm}>
            {props.confirmLabel ?? 'Supprimer'}
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-base sm:text-sm">
        {props.children}
        {irreversible && <p className="font-medium">Cette action est irréversible.</p>}
      </div>
    </Dialog>
  )
}
