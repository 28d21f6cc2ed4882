import type { UseFormRegisterReturn } from 'react-hook-form'
import { secondFactor } from '#features/account/second-factor/second-factor.contract.ts'
import { useAnswer } from '#web/query.ts'
import { PasswordField, TextField } from '#web/ui/inputs.tsx'

type Name = 'currentPassword' | 'code'
type ProofFieldsProps = {
  register: (name: Name) => UseFormRegisterReturn
  errors: { [Field in Name]?: { message?: string } }
}

/** The fields required again before the means of signing in change: the password, and the second factor if it is on. */
export function ProofFields({ register, errors }: ProofFieldsProps) {
  const { data } = useAnswer(secondFactor.read, {})
  return (
    <>
      <PasswordField
        label="Mot de passe actuel"
        required
        error={errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      {data?.isOn && (
        <TextField
          label="Code de vérification"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          hint="De votre application, ou un code de secours."
          error={errors.code?.message}
          {...register('code')}
        />
      )}
    </>
  )
}
