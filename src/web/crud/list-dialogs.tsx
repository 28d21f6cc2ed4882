import { DeleteDialog } from '#web/crud/delete-dialog.tsx'
import { DetailDialog } from '#web/crud/detail-dialog.tsx'
import { FormDialog } from '#web/crud/form-dialog.tsx'
import { MergeDialog } from '#web/crud/merge-dialog.tsx'
import type { Opened } from '#web/crud/row-actions.tsx'
import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { useMay, useUser } from '#web/session.ts'

type ListDialogsProps<Row> = {
  subject: Subject<Row>
  opened: Opened<Row> | null
  onOpen: (opened: Opened<Row>) => void
  onClose: () => void
}

/** Renders the dialog that is open over a list, if any. */
export function ListDialogs<Row extends AnyRow>({ subject, opened, onOpen, onClose }: ListDialogsProps<Row>) {
  const { resource, screens } = subject
  const may = useMay()
  const user = useUser()
  if (!opened) return null
  if (opened.dialog === 'create') return <FormDialog subject={subject} onClose={onClose} />
  const { row } = opened
  switch (opened.dialog) {
    case 'detail': {
      const canEdit = may(resource.permission.write) && !screens.isLocked?.(row, user)
      return (
        <DetailDialog
          subject={subject}
          row={row}
          onEdit={canEdit ? () => onOpen({ dialog: 'edit', row }) : undefined}
          onClose={onClose}
        />
      )
    }
    case 'edit':
      return <FormDialog subject={subject} row={row} onClose={onClose} />
    case 'merge':
      return <MergeDialog subject={subject} row={row} onClose={onClose} />
    case 'delete':
      return (
        <DeleteDialog
          resource={resource}
          id={row.id}
          name={screens.nameOf(row)}
          deletionEffect={screens.deletionEffect}
          use={screens.usedBy?.(row)}
          onClose={onClose}
        />
      )
    case 'action':
      return <opened.action.dialog row={row} onClose={onClose} />
  }
}
