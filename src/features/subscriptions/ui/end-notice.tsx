import { Link } from '@tanstack/react-router'
import { ownAccess } from '#features/subscriptions/subscriptions.contract.ts'
import { daysToEnd } from '#features/subscriptions/subscriptions.rules.ts'
import { formatCount } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'

/** Says above every page that what the user has ends within seven days; whoever has prolonged it is left alone. */
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
