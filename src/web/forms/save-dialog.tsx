import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { RefusalNote } from '#web/forms/refusal.tsx'
import { type SavingProps, useSaving } from '#web/forms/saving.ts'
import { Button } from '#web/ui/button.tsx'
import { AbandonDialog, Dialog } from '#web/ui/dialog.tsx'

type SaveDialogProps<Values extends FieldValues, Body> = SavingProps<Values, Body> & {
  title: string
  submitLabel?: string
  tone?: 'danger'
  submitDisabled?: boolean
  size?: 'sm' | 'md' | 'lg'
  /** « Ajouter et continuer »: after saving, prepares the form for another row. */
  another?: { label: string; begin: () => void }
  children: ReactNode
}

/** A form in a dialog, which closes after saving. */
export function SaveDialog<Values extends FieldValues, Body>(props: SaveDialogProps<Values, Body>) {
  const { title, submitLabel, tone, submitDisabled, size, another, children } = props
  const { fields, isDirty, isSubmitting, submit, submitThen, close, refusal, reload, question } =
    useSaving(props)
  return (
    <>
      <Dialog
        open
        title={title}
        submitLabel={submitLabel}
        tone={tone}
        submitDisabled={submitDisabled}
        otherSubmit={
          another && (
            // Not disabled, which would lose the focus and the keyboard user's position.
            <Button
              aria-disabled={isSubmitting || undefined}
              onClick={() => !isSubmitting && submitThen(another.begin)}
            >
              {another.label}
            </Button>
          )
        }
        size={size}
        dirty={isDirty}
        busy={isSubmitting}
        error={reload ? null : refusal}
        onSubmit={submit}
        onClose={close}
      >
        <div ref={fields} className="space-y-4">
          {children}
          {reload && <RefusalNote refusal={refusal} onReload={reload} />}
        </div>
      </Dialog>
      {question && <AbandonDialog onStay={question.stay} onLeave={question.leave} />}
    </>
  )
}
