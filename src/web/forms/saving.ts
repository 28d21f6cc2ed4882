import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/api.ts'
import { statementOf } from '#web/query.ts'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedWork } from '#web/unsaved.ts'

export type SavingProps<Values extends FieldValues, Body> = {
  form: UseFormReturn<Values, unknown, Body>
  /** What to do with what was typed. What it throws is shown, and the form stays, as it does for `false`. */
  onSave: (body: Body) => Promise<unknown>
  /** Reads again what somebody else changed, without losing what was typed. */
  onReload?: () => Promise<void>
  /** Saved, or given up: nothing typed here is asked about any more. */
  onClose: () => void
}

/** How a form is sent, wherever it stands: refusals under their fields, nothing typed lost unasked. */
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
        // What was refused before is not what is wrong now.
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
    /** Around the fields. */
    fields,
    isDirty,
    isSubmitting,
    submit: () => void submitThen(close),
    /** Does something else than close once it is saved. */
    submitThen: (done: () => void) => void submitThen(done),
    close,
    /** What the server refused, in words. */
    refusal: failure === null ? null : statementOf(failure),
    /** Given when somebody else changed the same thing meanwhile. */
    reload: isStale && onReload ? () => void reload() : null,
    /** Leaving the page was held back. */
    question,
  }
}

/** Focuses the first field at fault after each attempt. */
function useFaultFocus(attempts: number): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Whatever the kind of control, and whether the form or the server refused it.
    if (attempts > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  return fields
}

// An amount of zero is an amount not given.
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number(value) === 0
}

/** Puts what the server refuses under the fields that it names. */
function placeFaults<Values extends FieldValues, Body>(
  form: UseFormReturn<Values, unknown, Body>,
  error: unknown,
): void {
  if (!(error instanceof ApiError)) return
  const names = Object.keys(form.getValues())
  const shown = error.faults.filter(({ field }) => field !== undefined && names.includes(field))
  for (const { field, message } of shown) {
    // One of the form's own names, as just checked.
    form.setError(field as Path<Values>, { message })
  }
}
