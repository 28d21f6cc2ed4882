import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { RefusalNote } from '#web/forms/refusal.tsx'
import { type SavingProps, useSaving } from '#web/forms/saving.ts'
import { Button } from '#web/ui/button.tsx'
import { AbandonDialog } from '#web/ui/dialog.tsx'

type SavePageProps<Values extends FieldValues, Body> = SavingProps<Values, Body> & {
  /** Accessible name of the form. */
  label: string
  submitDisabled?: boolean
  /** Leaves without saving, after asking when something was typed. */
  onCancel: () => void
  children: ReactNode
}

/** A form on its own page. */
export function SavePage<Values extends FieldValues, Body>(props: SavePageProps<Values, Body>) {
  const { label, submitDisabled, onCancel, children } = props
  const { fields, isSubmitting, submit, refusal, reload, question } = useSaving(props)
  return (
    <form
      aria-label={label}
      noValidate
      aria-busy={isSubmitting}
      className="max-w-3xl rounded-md border border-line bg-surface"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSubmitting && !submitDisabled) submit()
      }}
    >
      <div ref={fields} className="space-y-4 p-4 sm:p-6">
        {children}
        <RefusalNote refusal={refusal} onReload={reload} />
      </div>
      <footer className="flex flex-wrap justify-end gap-3 border-t border-line px-4 py-3 *:max-sm:flex-1 sm:px-6">
        <Button onClick={onCancel} disabled={isSubmitting}>
          Annuler
        </Button>
        <Button type="submit" variant="primary" busy={isSubmitting} disabled={submitDisabled}>
          Enregistrer
        </Button>
      </footer>
      {question && <AbandonDialog onStay={question.stay} onLeave={question.leave} />}
    </form>
  )
}
