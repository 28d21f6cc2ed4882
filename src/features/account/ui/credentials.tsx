import { useForm } from 'react-hook-form'
import { ownAccount } from '#features/account/account.contract.ts'
import { ProofFields } from '#features/account/ui/proof-fields.tsx'
import { changePassword } from '#features/users/credentials/credentials.contract.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { followUser } from '#web/session.ts'
import { PasswordField, TextField } from '#web/ui/inputs.tsx'

/** Changes the address; asks for the current password. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const { register, ...form } = useForm({
    defaultValues: { email: '', currentPassword: '', code: '' },
    shouldFocusError: false,
  })
  const { errors } = form.formState
  const save = useAction(ownAccount.update)
  return (
    <SaveDialog
      title="Changer d’adresse e-mail"
      submitLabel="Enregistrer"
      form={{ register, ...form }}
      onSave={async (body) => followUser((await save.mutateAsync({ body })).user)}
      onClose={onClose}
    >
      <TextField
        label="Nouvelle adresse e-mail"
        type="email"
        required
        maxLength={254}
        autoComplete="email"
        hint="Elle sera à confirmer par un lien que nous y envoyons."
        error={errors.email?.message}
        {...register('email')}
      />
      <ProofFields register={register} errors={errors} />
    </SaveDialog>
  )
}

/** Changes the password; ends the user's other sessions. */
export function PasswordDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const { register, ...form } = useForm({
    defaultValues: { currentPassword: '', code: '', newPassword: '' },
    shouldFocusError: false,
  })
  const { errors } = form.formState
  const save = useAction(changePassword)
  return (
    <SaveDialog
      title="Changer le mot de passe"
      submitLabel="Enregistrer"
      form={{ register, ...form }}
      onSave={(body) => save.mutateAsync({ params: { id: userId }, body })}
      onClose={onClose}
    >
      <ProofFields register={register} errors={errors} />
      <PasswordField
        label="Nouveau mot de passe"
        required
        autoComplete="new-password"
        hint="8 caractères au moins. Vos autres sessions se terminent."
        error={errors.newPassword?.message}
        {...register('newPassword')}
      />
    </SaveDialog>
  )
}
