import { type FieldValues, useWatch } from 'react-hook-form'
import type { AnyRow, Fields, Subject } from '#web/crud/screens.ts'
import { useRowForm } from '#web/forms/row-form.ts'

/**
 * The form of one of a resource, wherever it stands.
 *
 * @param row what is edited; absent to create
 * @returns `saving`, for what shows the form, the fields to show in it, and what is asked before it is sent
 */
export function useSubjectForm<Row extends AnyRow>({ resource, screens }: Subject<Row>, row?: Row) {
  const { form, read, sent, onSave, onReload } = useRowForm({
    resource,
    row,
    valuesOf: (edited) => ({
      ...ownValues(screens.blank, edited),
      ...(edited && screens.valuesOf?.(edited)),
    }),
    schema: row ? resource.change : resource.input,
  })
  const typed = useWatch({ control: form.control })
  // The screens of a resource are the same for ever: so are the hooks.
  const doubt = screens.useDoubt?.(read)
  const field: Fields<FieldValues>['field'] = (name, options) => ({
    label: resource.labels[name] ?? name,
    error: form.getFieldState(name, form.formState).error?.message,
    ...form.register(name, options),
  })
  return {
    saving: {
      form,
      submitDisabled: !isFilled(typed, screens.awaited),
      onSave: async (body: FieldValues) => ((await doubt?.isSure(body)) === false ? false : onSave(body)),
      onReload,
    },
    question: doubt?.question,
    fields: screens.form({ ...form, field, labels: resource.labels, sent }, read),
  }
}

type AwaitedFields = Subject<AnyRow>['screens']['awaited']

function isFilled(typed: FieldValues, awaited: AwaitedFields = []): boolean {
  if (typeof awaited === 'function') return awaited(typed)
  return awaited.every((name) => String(typed[name]).trim() !== '')
}

/** The row's own fields of the same names, or blanks. */
function ownValues(blank: FieldValues, row: object | undefined): FieldValues {
  const own = Object.entries(row ?? {}).filter(([name, value]) => name in blank && value !== null)
  return { ...blank, ...Object.fromEntries(own) }
}
