import { useForm } from 'react-hook-form'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'

type NameViewProps = {
  title: string
  hint?: string
  /** As it is now. */
  name?: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** The name that a view is saved under, the first time or again. */
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
