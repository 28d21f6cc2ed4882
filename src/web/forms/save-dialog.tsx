import { RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/api.ts'
import { statementOf } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { AbandonDialog, Dialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedWork } from '#web/unsaved.ts'

type SaveDialogProps<Values extends FieldValues, Body> = {
  title: string
  submitLabel?: string
  form: UseFormReturn<Values, unknown, Body>
  /** What to do with what was typed; the dialog closes after it, or shows what it throws and stays. */
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
  const { isDirty, isSubmitting, submitCount } = form.formState
  const [failure, setFailure] = useState<unknown>(null)
  const { question, release } = useUnsavedWork(isDirty)
  const close = () => {
    release()
    onClose()
  }
  const isStale = failure instanceof ApiError && failure.status === 409 && failure.faults.length === 0
  const canReload = isStale && onReload !== undefined

  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Whatever the kind of control, and whether the form or the server refused it.
    if (submitCount > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount])

  const submit = form.handleSubmit(
    async (body) => {
      setFailure(null)
      try {
        await onSave(body)
        close()
      } catch (error) {
        setFailure(error)
        placeFaults(form, error)
      }
    },
    (errors) => {
      const typed = form.getValues()
      if (Object.keys(errors).some((name) => isEmpty(typed[name]))) {
        toast.error('Veuillez remplir tous les champs obligatoires')
      }
    },
  )
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
        error={failure === null || canReload ? null : statementOf(failure)}
        onSubmit={() => void submit()}
        onClose={close}
      >
        <div ref={fields} className="space-y-4">
          {children}
          {canReload && (
            <>
              <ErrorNote>{statementOf(failure)}</ErrorNote>
              <Button icon={RotateCw} onClick={() => void reload()}>
                Recharger
              </Button>
            </>
          )}
        </div>
      </Dialog>
      {question && <AbandonDialog onStay={question.stay} onLeave={question.leave} />}
    </>
  )
}

// A price of zero is a price not given.
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
  const known = error.faults.filter(({ field }) => field !== undefined && names.includes(field))
  for (const { field, message } of known) {
    // One of the form's own names, as just checked.
    form.setError(field as Path<Values>, { message })
  }
}
