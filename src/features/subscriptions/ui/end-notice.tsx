import { Link } from '@tanstack/react-router'
import { AskForLink } from '#features/auth/ui/ask-for-link.tsx'
import { ownAccess } from '#features/subscriptions/subscriptions.contract.ts'
import { daysToEnd } from '#features/subscriptions/subscriptions.rules.ts'
import { formatCount, formatDateTime } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'

/** Warning above every page that free access ends unless the address is confirmed. */
export function ConfirmNotice() {
  const { email } = useUser()
  const { data } = useAnswer(ownAccess, {})
  // Once access is closed, the gate shows this instead.
  if (!data?.confirmBy || !data.hasAccess || data.isExempt) return null
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-amber-soft px-4 py-3 text-amber"
    >
      <p>
        {`Confirmez votre adresse e-mail avant le ${formatDateTime(data.confirmBy)} pour continuer à lire les prix\u00a0: ouvrez le lien envoyé à `}
        <strong className="font-medium wrap-anywhere">{email}</strong>.
      </p>
      <AskForLink email={email} label="Renvoyer le lien" />
    </div>
  )
}

/** Notice above every page that access ends within seven days; hidden once renewed. */
export function EndNotice() {
  const { data } = useAnswer(ownAccess, {})
  const days = data ? daysToEnd(data, new Date()) : null
  if (days === null) return null
  return (
    <p role="status" className="mb-4 rounded-md bg-amber-soft px-4 py-3 text-amber">
      {`Votre accès aux prix se termine ${days === 0 ? 'aujourd’hui' : `dans ${formatCount(days, 'jour', 'jours')}`}. `}
      <Link to="/subscriptions" className="font-medium underline">
        {data?.subscription ? 'Prolonger' : 'Choisir un plan'}
      </Link>
    </p>
  )
}
