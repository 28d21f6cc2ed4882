import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type FieldValues, useForm, useWatch } from 'react-hook-form'
import { call } from '#web/api.ts'
import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'

type FormDialogProps<Row> = {
  subject: Subject<Row>
  /** What is edited; absent to create. */
  row?: Row
  onClose: () => void
}

/** Creates or edits one of a resource, with one form for both. */
export function FormDialog<Row extends AnyRow>({ subject, row, onClose }: FormDialogProps<Row>) {
  const { resource, screens } = subject
  const words = wordsOf(resource.noun)
  // The version that was read: another one comes when somebody else saved meanwhile.
  const [read, setRead] = useState(row)
  const form = useForm({
    defaultValues: valuesOf(screens.blank, row),
    resolver: zodResolver(row ? resource.change : resource.input),
    // The dialog does it, for every kind of control.
    shouldFocusError: false,
  })
  const awaited: readonly unknown[] = useWatch({ control: form.control, name: screens.awaited ?? [] })
  const save = useAction(row ? resource.update : resource.create, { errors: 'inline' })
  const version = read && { [resource.versioned]: Object(read)[resource.versioned] }

  const reload = async (id: number) => {
    const fresh = await call(resource.find, { params: { id } })
    setRead(fresh)
    form.reset(valuesOf(screens.blank, fresh), { keepDirtyValues: true })
  }
  return (
    <SaveDialog
      title={row ? `Modifier ${words.the} ${quoted(screens.nameOf(row))}` : `Créer ${words.a}`}
      submitLabel={row ? 'Enregistrer' : 'Créer'}
      submitDisabled={awaited.some((value) => String(value).trim() === '')}
      size={screens.formSize}
      form={form}
      onSave={(body) => save.mutateAsync({ params: row && { id: row.id }, body: { ...body, ...version } })}
      onReload={row && (() => reload(row.id))}
      onClose={onClose}
    >
      {screens.form(form, read)}
    </SaveDialog>
  )
}

/** What the form starts with: the row's own fields of the same names, or blanks. */
function valuesOf(blank: FieldValues, row: object | undefined): FieldValues {
  const own = Object.entries(row ?? {}).filter(([name, value]) => name in blank && value !== null)
  return { ...blank, ...Object.fromEntries(own) }
}
