import { type SubmitEvent, useState } from 'react'
import { signInHere } from '#features/collection/phone/ui/device.ts'
import { becomeAgent } from '#features/collection/phone/ui/rounds.ts'
import { countWords } from '#features/collection/phone/ui/words.ts'
import { ApiError, messageOf } from '#web/api.ts'

/** @param waiting number of unsent entries on this phone, of all agents */
export function SignInScreen({ waiting }: { waiting: number }) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [wantsCode, setWantsCode] = useState(false)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    setBusy(true)
    setFailure(null)
    try {
      const code = wantsCode ? text('code') : undefined
      await becomeAgent(await signInHere({ email: text('email'), password: text('password'), code }))
    } catch (error) {
      if (error instanceof ApiError && error.faults.some(({ field }) => field === 'code')) setWantsCode(true)
      setFailure(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <img src="/favicon.svg" alt="" width="48" height="48" />
      <h1>Ntalo, collecte</h1>
      <p>Connectez-vous une fois avec le réseau. Ensuite, tout marche sans réseau.</p>
      {waiting > 0 && (
        <p className="note">{`${countWords(waiting, 'relevé attend son agent', 'relevés attendent leur agent')} sur ce téléphone.`}</p>
      )}
      <form onSubmit={submit}>
        <label htmlFor="email">Adresse e-mail</label>
        <input id="email" name="email" type="email" autoComplete="username" required />
        <label htmlFor="password">Mot de passe</label>
        <input id="password" name="password" type="password" autoComplete="current-password" required />
        {wantsCode && (
          <>
            <label htmlFor="code">Code de votre application</label>
            <input id="code" name="code" inputMode="numeric" autoComplete="one-time-code" required />
          </>
        )}
        <p className="failure" role="alert">
          {failure}
        </p>
        <button type="submit" className="main" aria-busy={isBusy}>
          {isBusy ? 'Connexion…' : 'Se connecter'}
        </button>
      </form>
    </main>
  )
}
