import { passwordHint } from '#features/auth/visitor-page.rules.ts'
import { type Faults, FormPassword } from '#web/ui/form.view.tsx'

/** Fields of a new password, typed twice. */
export function NewPassword({ label, faults }: { label: string; faults: Faults }) {
  return (
    <>
      <FormPassword
        name="password"
        label={label}
        autoComplete="new-password"
        minLength={8}
        hint={passwordHint}
        fault={faults.password}
      />
      <FormPassword
        name="confirmPassword"
        label="Confirmer le mot de passe"
        autoComplete="new-password"
        fault={faults.confirmPassword}
      />
    </>
  )
}
