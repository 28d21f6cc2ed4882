import { Pencil } from 'lucide-react'
import { type AnyRow, detailsOf, type Subject } from '#web/crud/screens.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type DetailDialogProps<Row> = {
  subject: Subject<Row>
  row: Row
  /** Absent when the user may not edit the row. */
  onEdit?: () => void
  onClose: () => void
}

/** Shows the details of one row over the list. */
export function DetailDialog<Row extends AnyRow>({ subject, row, onEdit, onClose }: DetailDialogProps<Row>) {
  const { resource, screens } = subject
  return (
    <Dialog
      open
      title={screens.nameOf(row)}
      description={resource.noun.one}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Fermer</Button>
          {onEdit && (
            <Button variant="primary" icon={Pencil} onClick={onEdit}>
              Modifier
            </Button>
          )}
        </>
      }
    >
      <Facts items={detailsOf(subject, row)} />
    </Dialog>
  )
}
