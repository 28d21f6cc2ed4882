import { useForm } from 'react-hook-form'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'

type NameViewProps = {
  title: string
  hint?: string
  /** The current name. */
  name?: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** The dialog for the name of a view, new or existing. */
export function NameView({ title, hint, name = '', onSave, onClose }: NameViewProps) {
  const { register, ...form } = useForm({ defaultValues: { name }, shouldFocusError: false })
  return (
    <SaveDialog
      title={title}
      submitLabel="Enregistrer"
      size="sm"
      form={{ register, ...form }}
      onSave={async (body) => {
        await onSave(body.name)
      }}
      onClose={onClose}
    >
      <TextField
        label="Nom"
        required
        maxLength={100}
        hint={hint}
        error={form.formState.errors.name?.message}
        {...register('name')}
      />
    </SaveDialog>
  )
}
