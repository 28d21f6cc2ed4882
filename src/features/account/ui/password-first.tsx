import type { ReactNode } from 'react'
import { type Account, me } from '#features/auth/auth.contract.ts'
import { forgotPassword } from '#features/auth/reset.contract.ts'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/**
 * Wraps a form that asks for the password; users who sign in by other means and have none are offered to choose one
 * instead.
 */
export function PasswordFirst({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { data } = useAnswer(me, {})
  if (!data) return null
  return data.user.hasPassword ? children : <FirstPasswordDialog user={data.user} onClose={onClose} />
}

function FirstPasswordDialog({ user, onClose }: { user: Account; onClose: () => void }) {
  const ask = useAction(forgotPassword)
  return (
    <Dialog
      open
      size="sm"
      title="Choisissez d’abord un mot de passe"
      error={ask.error && statementOf(ask.error)}
      onClose={onClose}
      footer={
        ask.isSuccess ? (
          <Button variant="primary" onClick={onClose}>
            Fermer
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={ask.isPending}
            onClick={() => ask.mutate({ body: { email: user.email } })}
          >
            Recevoir le lien
          </Button>
        )
      }
    >
      {ask.isSuccess ? (
        <p>
          {`Un lien part vers ${user.email}. Il sert une seule fois, pendant 30\u00a0minutes\u00a0: choisissez votre mot de passe, connectez-vous, puis revenez ici.`}
        </p>
      ) : (
        <p>
          {`Vous vous connectez sans mot de passe, et ce changement en demande un. Nous envoyons à ${user.email} un lien pour le choisir\u202f; vos sessions se termineront alors, et vous pourrez toujours vous connecter comme avant.`}
        </p>
      )}
    </Dialog>
  )
}
