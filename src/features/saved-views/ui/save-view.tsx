import { useForm } from 'react-hook-form'
import { savedViews } from '#features/saved-views/saved-views.contract.ts'
import type { savablePaths } from '#features/saved-views/saved-views.rules.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { TextField } from '#web/ui/inputs.tsx'

type SaveViewProps = { path: (typeof savablePaths)[number]; search: string; onClose: () => void }

/** The page as it is, with the name that it is kept under. */
export function SaveView({ path, search, onClose }: SaveViewProps) {
  const { register, ...form } = useForm({ defaultValues: { name: '' }, shouldFocusError: false })
  const save = useAction(savedViews.create)
  return (
    <SaveDialog
      title="Enregistrer cette vue"
      submitLabel="Enregistrer"
      size="sm"
      form={{ register, ...form }}
      onSave={async ({ name }) => {
        await save.mutateAsync({ body: { name, path, search } })
      }}
      onClose={onClose}
    >
      <TextField
        label="Nom"
        required
        maxLength={100}
        hint="La page, ses filtres et sa période seront gardés sous ce nom."
        error={form.formState.errors.name?.message}
        {...register('name')}
      />
    </SaveDialog>
  )
}
