import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { useSubjectForm } from '#web/crud/subject-form.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'

type FormDialogProps<Row> = {
  subject: Subject<Row>
  /** What is edited; absent to create. */
  row?: Row
  /** Called with the new row. */
  onCreated?: (row: Row) => void
  onClose: () => void
}

/** Creates or edits one of a resource, with one form for both. */
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
          // The answer to a creation is the row.
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
