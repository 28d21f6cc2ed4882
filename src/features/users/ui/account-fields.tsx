import type { UseFormRegisterReturn } from 'react-hook-form'
import { statusOptions } from '#features/users/ui/user-status.tsx'
import { useUser } from '#web/session.ts'
import { PasswordField, SelectField, TextField } from '#web/ui/inputs.tsx'

type Name = 'name' | 'email' | 'password' | 'status' | 'location'

type AccountFieldsProps = {
  register: (name: Name) => UseFormRegisterReturn
  errors: { [Field in Name]?: { message?: string } }
  /** Who is edited; nobody yet without it. */
  id: number | undefined
}

/** Who somebody is and how he signs in; one’s own address and password are for the settings. */
export function AccountFields({ register, errors, id }: AccountFieldsProps) {
  const isOwn = useUser().id === id
  return (
    <>
      <TextField label="Nom" required maxLength={200} error={errors.name?.message} {...register('name')} />
      <TextField
        label="E-mail"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        readOnly={isOwn}
        hint={isOwn && 'Votre adresse et votre mot de passe se changent dans vos paramètres.'}
        error={errors.email?.message}
        {...register('email')}
      />
      {!isOwn && (
        <PasswordField
          label="Mot de passe"
          required={id === undefined}
          autoComplete="new-password"
          placeholder={id === undefined ? undefined : 'Laisser vide pour ne pas changer'}
          hint="8 caractères au moins"
          error={errors.password?.message}
          {...register('password')}
        />
      )}
      <SelectField
        label="Statut"
        options={isOwn ? statusOptions.slice(0, 1) : statusOptions}
        error={errors.status?.message}
        {...register('status')}
      />
      <TextField
        label="Localité"
        maxLength={200}
        error={errors.location?.message}
        {...register('location')}
      />
    </>
  )
}
