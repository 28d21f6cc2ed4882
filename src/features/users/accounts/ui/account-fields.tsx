import type { UseFormRegisterReturn } from 'react-hook-form'
import type { AccountRow } from '#features/users/accounts/accounts.contract.ts'
import { statusChoices } from '#features/users/accounts/ui/user-status.tsx'
import { useUser } from '#web/session.ts'
import { PasswordField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type Name = 'name' | 'email' | 'password' | 'status' | 'location'

type AccountFieldsProps = {
  field: (name: Name) => UseFormRegisterReturn & { label: string; error: string | undefined }
  /** The account to edit; absent to create one. */
  account: Pick<AccountRow, 'id' | 'status'> | undefined
}

/** Fields of an account; users change their own address and password in the settings instead. */
export function AccountFields({ field, account }: AccountFieldsProps) {
  const isOwn = useUser().id === account?.id
  const choices = statusChoices(account?.status)
  return (
    <>
      <TextField required maxLength={200} {...field('name')} />
      <TextField
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        readOnly={isOwn}
        hint={isOwn && 'Votre adresse et votre mot de passe se changent dans vos paramètres.'}
        {...field('email')}
      />
      {!isOwn && (
        <PasswordField
          required={!account}
          autoComplete="new-password"
          placeholder={!account ? undefined : 'Laisser vide pour ne pas changer'}
          hint="8 caractères au moins"
          {...field('password')}
        />
      )}
      <SelectField options={isOwn ? choices.slice(0, 1) : choices} {...field('status')} />
      <TextField maxLength={200} {...field('location')} />
    </>
  )
}
