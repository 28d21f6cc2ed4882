import { useState } from 'react'
import { ApiError, messageOf } from '#web/api.ts'
import { type SessionUser, signIn, signOut } from '#web/session.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField, TextField } from '#web/ui/inputs.tsx'

/** Asks for the password of the user whose session has expired; the form behind keeps its input. */
export function SignInDialog({ user }: { user: SessionUser }) {
  const [password, setPassword] = useState('')
  /** Null until the server asks for a second-factor code. */
  const [code, setCode] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      await signIn({ email: user.email, password, code })
    } catch (failure) {
      setError(messageOf(failure))
      const wantsCode = failure instanceof ApiError && failure.faults.some(({ field }) => field === 'code')
      if (wantsCode) setCode('')
      else setPassword('')
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      size="sm"
      title="Votre session est terminée"
      description="Connectez-vous à nouveau&nbsp;: ce que vous avez saisi sera enregistré."
      onSubmit={submit}
      submitLabel="Se connecter"
      submitDisabled={password === ''}
      cancelLabel="Se déconnecter"
      dirty
      busy={isBusy}
      error={error}
      onClose={signOut}
    >
      <div className="space-y-4">
        <TextField label="Email" type="email" autoComplete="username" value={user.email} readOnly />
        <PasswordField
          label="Mot de passe"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {code !== null && (
          <TextField
            label="Code de vérification"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={50}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <p className="text-ink-soft">
          {'Pas de mot de passe\u202f? '}
          <a href="/auth/login" target="_blank" rel="noopener" className="text-river underline">
            Connectez-vous dans un autre onglet
          </a>
          , puis revenez ici.
        </p>
      </div>
    </Dialog>
  )
}
