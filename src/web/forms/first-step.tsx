import { type ComponentType, createContext, Suspense, use, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Permission } from '#shared/permissions.ts'
import { useMay } from '#web/session.ts'
import type { Option } from '#web/ui/use-options.ts'

type CreateDialogProps = { onCreated: (row: { id: number }) => void; onClose: () => void }

/** The dialogs that make one of a resource over another form, by the name of the resource; `main` provides them. */
export const CreateDialogsContext = createContext<Readonly<Record<string, ComponentType<CreateDialogProps>>>>(
  {},
)

/** What stands under a choice while there is nothing to choose. */
export type First = {
  choices: { useNone: () => boolean; optionOf: (row: never) => Option }
  /** « Aucun type de produit n’existe encore. » */
  text: string
  /** The name of the resource of which the first one is made here, for who may. */
  creates: string
  label: string
  right: Permission
}

/** Says that there is nothing to choose yet, and makes the first over the form, whose fields stay as they are. */
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
        // A form inside a form would be one.
        createPortal(
          <Suspense>
            <CreateDialog
              // The row is of the resource whose options these are.
              onCreated={(row) => onCreated(choices.optionOf(row as never))}
              onClose={() => setOpen(false)}
            />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
