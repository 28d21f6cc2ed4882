import { type FieldValues, useWatch } from 'react-hook-form'
import type { AnyRow, Fields, Subject } from '#web/crud/screens.ts'
import { useRowForm } from '#web/forms/row-form.ts'

/**
 * The form of a resource, for a dialog or a page.
 *
 * @param row the row to edit; absent to create one
 * @returns `saving`, the props of the dialog or page around the form; its `fields`; and the `question` asked before it
 * is sent
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
  // Calling this hook conditionally is safe: the screens of a resource never change.
  const confirmation = screens.useConfirmation?.(read)
  const field: Fields<FieldValues>['field'] = (name, options) => ({
    label: resource.labels[name] ?? name,
    error: form.getFieldState(name, form.formState).error?.message,
    ...form.register(name, options),
  })
  return {
    saving: {
      form,
      submitDisabled: !isFilled(typed, read, screens.requiredToSubmit),
      onSave: async (body: FieldValues) =>
        (await confirmation?.isSure(body)) === false ? false : onSave(body),
      onReload,
    },
    question: confirmation?.question,
    fields: screens.form({ ...form, field, labels: resource.labels, sent }, read),
  }
}

function isFilled<Row>(
  typed: FieldValues,
  row: Row | undefined,
  requiredToSubmit: Subject<Row>['screens']['requiredToSubmit'] = [],
): boolean {
  if (typeof requiredToSubmit === 'function') return requiredToSubmit(typed, row)
  return requiredToSubmit.every((name) => String(typed[name]).trim() !== '')
}

/** Returns the row's fields that the form has; blank values for the others. */
function ownValues(blank: FieldValues, row: object | undefined): FieldValues {
  const own = Object.entries(row ?? {}).filter(([name, value]) => name in blank && value !== null)
  return { ...blank, ...Object.fromEntries(own) }
}
