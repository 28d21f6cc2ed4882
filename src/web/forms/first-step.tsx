import { type ComponentType, createContext, Suspense, use, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Permission } from '#shared/permissions.ts'
import { useMay } from '#web/session.ts'
import type { Option } from '#web/ui/use-options.ts'

type CreateDialogProps = { onCreated: (row: { id: number }) => void; onClose: () => void }

/** Dialogs that create a row over another form, by the name of the resource; `main` provides them. */
export const CreateDialogsContext = createContext<Readonly<Record<string, ComponentType<CreateDialogProps>>>>(
  {},
)

/** Shown under a choice field while there is nothing to choose. */
export type First = {
  choices: { useNone: () => boolean; optionOf: (row: never) => Option }
  /** « Aucun type de produit n’existe encore. » */
  text: string
  /** Name of the resource whose first row is created here, by users who may. */
  creates: string
  label: string
  right: Permission
}

/**
 * Says that there is nothing to choose yet, and opens a dialog over the form to create the first row; the form keeps
 * its values.
 */
export function FirstStep(props: First & { onCreated: (option: Option) => void }) {
  const { choices, text, creates, label, right, onCreated } = props
  const CreateDialog = use(CreateDialogsContext)[creates]
  const isNone = choices.useNone()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isNone && (
        <p className="mt-1.5 text-ink-soft">
          <span>{text}</span>
          {may(right) && CreateDialog && (
            <button
              type="button"
              onClick={() => setOpen(true)}
              className="ml-1 font-medium text-river underline"
            >
              {label}
            </button>
          )}
        </p>
      )}
      {isOpen &&
        CreateDialog &&
        // A portal, because HTML does not allow a form inside a form.
        createPortal(
          <Suspense>
            <CreateDialog
              // The cast is safe: the row belongs to the resource of `choices`.
              onCreated={(row) => onCreated(choices.optionOf(row as never))}
              onClose={() => setOpen(false)}
            />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
