import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { AuthLayout } from '#web/layouts/auth-layout.tsx'
import { rememberedEmail, signIn } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField, TextField } from '#web/ui/inputs.tsx'
import { toast } from '#web/ui/toast.ts'

const required = 'Ce champ est obligatoire'

/** Sign-in. The guard around the page leads on once the session is open. */
export function LoginPage() {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [missing, setMissing] = useState({ email: false, password: false })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!email.current || !password.current || isBusy) return
    const typed = { email: email.current.value.trim(), password: password.current.value }
    const empty = { email: typed.email === '', password: typed.password === '' }
    setMissing(empty)
    if (empty.email || empty.password) {
      toast.error('Veuillez remplir tous les champs')
      const first = empty.email ? email.current : password.current
      first.focus()
      return
    }
    setBusy(true)
    try {
      await signIn(typed)
    } catch (error) {
      toast.error(explain(error), 'Erreur de connexion')
      password.current.value = ''
      password.current.focus()
      setBusy(false)
    }
  }

  return (
    <AuthLayout title="Connexion" description="Accédez aux prix des marchés et à votre espace de travail.">
      <form onSubmit={submit} noValidate aria-busy={isBusy} className="space-y-4">
        <TextField
          ref={email}
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={missing.email ? required : undefined}
          defaultValue={rememberedEmail()}
        />
        <PasswordField
          ref={password}
          label="Mot de passe"
          name="password"
          required
          error={missing.password ? required : undefined}
        />
        <Button type="submit" variant="primary" busy={isBusy} className="w-full">
          Se connecter
        </Button>
      </form>
    </AuthLayout>
  )
}

function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Une erreur est survenue lors de la connexion'
  return error.message
}
