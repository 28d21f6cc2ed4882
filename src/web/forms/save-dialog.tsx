import { type ReactNode, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/api.ts'
import { statementOf } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { AbandonDialog, Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedWork } from '#web/unsaved.ts'

type SaveDialogProps<Values extends FieldValues, Body> = {
  title: string
  submitLabel?: string
  form: UseFormReturn<Values, unknown, Body>
  /** What to do with what was typed; the dialog shows what it throws, and stays. */
  onSave: (body: Body) => Promise<unknown>
  /** Reads again what somebody else changed, without losing what was typed. */
  onReload?: () => Promise<void>
  onClose: () => void
  size?: 'sm' | 'md' | 'lg'
  children: ReactNode
}

/** A form in a dialog: refusals under their fields and above the buttons, nothing typed lost unasked. */
export function SaveDialog<Values extends FieldValues, Body>(props: SaveDialogProps<Values, Body>) {
  const { title, submitLabel, form, onSave, onReload, onClose, size, children } = props
  const { isDirty, isSubmitting } = form.formState
  const [failure, setFailure] = useState<unknown>(null)
  const question = useUnsavedWork(isDirty)
  const isStale = failure instanceof ApiError && failure.status === 409 && failure.faults.length === 0

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      await onSave(body)
    } catch (error) {
      setFailure(error)
      placeFaults(form, error)
    }
  })
  const reload = async () => {
    try {
      await onReload?.()
      setFailure(null)
    } catch (error) {
      toast.error(statementOf(error))
    }
  }
  return (
    <>
      <Dialog
        open
        title={title}
        submitLabel={submitLabel}
        size={size}
        dirty={isDirty}
        busy={isSubmitting}
        error={failure === null ? null : statementOf(failure)}
        onSubmit={() => void submit()}
        onClose={onClose}
        footer={
          isStale && onReload ? (
            <>
              <Button onClick={onClose}>Annuler</Button>
              <Button variant="primary" onClick={() => void reload()}>
                Recharger
              </Button>
            </>
          ) : undefined
        }
      >
        <div className="space-y-4">{children}</div>
      </Dialog>
      {question && <AbandonDialog onStay={question.stay} onLeave={question.leave} />}
    </>
  )
}

/** Puts what the server refuses under the fields that it names, the first one focused. */
function placeFaults<Values extends FieldValues, Body>(
  form: UseFormReturn<Values, unknown, Body>,
  error: unknown,
): void {
  if (!(error instanceof ApiError)) return
  const names = Object.keys(form.getValues())
  const known = error.faults.filter(({ field }) => field !== undefined && names.includes(field))
  known.forEach(({ field, message }, index) => {
    // One of the form's own names, as just checked.
    form.setError(field as Path<Values>, { message }, { shouldFocus: index === 0 })
  })
}
