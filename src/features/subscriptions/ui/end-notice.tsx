import { Link } from '@tanstack/react-router'
import { ownAccess } from '#features/subscriptions/subscriptions.contract.ts'
import { formatCount } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'

const noticedDays = 7

/** Says above every page that what the user has ends soon; whoever has prolonged it is left alone. */
export function EndNotice() {
  const { data } = useAnswer(ownAccess, {})
  if (!data?.subscription || data.isExempt || !data.hasAccess || data.remainingDays > noticedDays) return null
  return (
    <p role="status" className="mb-4 rounded-md bg-amber-soft px-4 py-3 text-amber">
      {`Votre accès aux prix se termine dans ${formatCount(data.remainingDays, 'jour', 'jours')}. `}
      <Link to="/subscriptions" className="font-medium underline">
        Prolonger
      </Link>
    </p>
  )
}
