import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/api.ts'
import { statementOf } from '#web/query.ts'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedWork } from '#web/unsaved.ts'

export type SavingProps<Values extends FieldValues, Body> = {
  form: UseFormReturn<Values, unknown, Body>
  /** Saves the form. When it throws, the error is shown and the form stays open; it also stays open for `false`. */
  onSave: (body: Body) => Promise<unknown>
  /** Loads another user's change without losing what was typed. */
  onReload?: () => Promise<void>
  /** Called after saving or cancelling; unsaved input no longer prevents leaving. */
  onClose: () => void
}

/**
 * State of a form that is sent, in a dialog or a page: shows refusals under their fields, and asks before unsaved input
 * is lost.
 */
export function useSaving<Values extends FieldValues, Body>(props: SavingProps<Values, Body>) {
  const { form, onSave, onReload, onClose } = props
  const { isDirty, isSubmitting, submitCount } = form.formState
  const [failure, setFailure] = useState<unknown>(null)
  const { question, release } = useUnsavedWork(isDirty)
  const isStale = failure instanceof ApiError && failure.status === 409 && failure.faults.length === 0
  const fields = useFaultFocus(submitCount)
  const close = () => {
    release()
    onClose()
  }
  const submitThen = (done: () => void) =>
    form.handleSubmit(
      async (body) => {
        setFailure(null)
        try {
          if ((await onSave(body)) !== false) done()
        } catch (error) {
          setFailure(error)
          placeFaults(form, error)
        }
      },
      (errors) => {
        // Clears the previous refusal, which concerned other values.
        setFailure(null)
        const typed = form.getValues()
        if (Object.keys(errors).some((name) => isEmpty(typed[name]))) {
          toast.error('Veuillez remplir tous les champs obligatoires')
        }
      },
    )()
  const reload = async () => {
    try {
      await onReload?.()
      setFailure(null)
    } catch (error) {
      toast.error(statementOf(error))
    }
  }
  return {
    /** Ref of the element around the fields. */
    fields,
    isDirty,
    isSubmitting,
    submit: () => void submitThen(close),
    /** Saves, then calls `done` instead of closing. */
    submitThen: (done: () => void) => void submitThen(done),
    close,
    /** The server's refusal as text. */
    refusal: failure === null ? null : statementOf(failure),
    /** Loads another user's change; null unless there was a concurrent change. */
    reload: isStale && onReload ? () => void reload() : null,
    /** The question shown when leaving the page was blocked. */
    question,
  }
}

/** Focuses the first faulty field after each attempt to submit. */
export function useFaultFocus(attempts: number): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Found by its attribute, whatever the kind of control and whether the form or the server reported the error.
    if (attempts > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  return fields
}

// Zero counts as empty: an amount field without a value is 0.
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number(value) === 0
}

/** Shows the server's errors under the fields that they name. */
function placeFaults<Values extends FieldValues, Body>(
  form: UseFormReturn<Values, unknown, Body>,
  error: unknown,
): void {
  if (!(error instanceof ApiError)) return
  const names = Object.keys(form.getValues())
  const shown = error.faults.filter(({ field }) => field !== undefined && names.includes(field))
  for (const { field, message } of shown) {
    // The cast is safe: the name was just found among the form's values.
    form.setError(field as Path<Values>, { message })
  }
}
