import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { useSubjectForm } from '#web/crud/subject-form.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'

type FormDialogProps<Row> = {
  subject: Subject<Row>
  /** The row to edit; absent to create one. */
  row?: Row
  /** Called with the new row. */
  onCreated?: (row: Row) => void
  onClose: () => void
}

/** A dialog that creates or edits a row with the same form. */
export function FormDialog<Row extends AnyRow>(props: FormDialogProps<Row>) {
  const { subject, row, onCreated, onClose } = props
  const { resource, screens } = subject
  const words = wordsOf(resource.noun)
  const { createVerb = 'Créer' } = screens
  const { saving, fields, question } = useSubjectForm(subject, row)
  return (
    <>
      <SaveDialog
        {...saving}
        onSave={async (body) => {
          const saved = await saving.onSave(body)
          // The response to a creation is the new row.
          if (saved !== false) onCreated?.(saved as Row)
          return saved
        }}
        title={row ? `Modifier ${words.the} ${quoted(screens.nameOf(row))}` : `${createVerb} ${words.a}`}
        submitLabel={row ? 'Enregistrer' : createVerb}
        size={screens.formSize}
        onClose={onClose}
      >
        {fields}
      </SaveDialog>
      {question}
    </>
  )
}
