import type { usage } from '#features/keys/keys.contract.ts'
import { monthOf } from '#features/keys/keys.rules.ts'
import type { AnswerOf } from '#shared/contract.ts'
import { formatCount, formatDateTime, formatNumber, plural } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import type { useAnswer } from '#web/query.ts'
import { Card } from '#web/ui/card.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Usage = AnswerOf<typeof usage>

/** The calls of the month compared with the quota, and per day. */
export function UsageCard({ answer }: { answer: ReturnType<typeof useAnswer<typeof usage>> }) {
  return (
    <Card title="Utilisation" description="Les appels de toutes vos clés.">
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement de l’utilisation" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-24 w-full" />}
      {answer.data && <Month {...answer.data} />}
    </Card>
  )
}

function Month({ data, days }: Usage) {
  const month = data.find(({ window }) => window === 'month')
  const minute = data.find(({ window }) => window === 'minute')
  if (!month || !minute) return null
  const { days: lastDay, forecast } = monthOf(month.resetsAt, month.used, new Date())
  return (
    <>
      <p>
        <span className="text-2xl font-semibold" key={month.used}>
          {formatNumber(month.used)}
        </span>{' '}
        <span className="text-ink-soft">{`${plural(month.used, 'appel', 'appels')} sur ${formatNumber(month.limit)}`}</span>
      </p>
      <div className="my-2">
        <ProgressBar label="Part du quota du mois" share={month.limit > 0 ? month.used / month.limit : 1} />
      </div>
      <p className="text-sm text-ink-soft">
        {forecast !== null &&
          `À ce rythme, ${formatNumber(forecast)} à la fin du mois\u00a0: ${forecast > month.limit ? 'le quota ne suffira pas' : 'assez'}. `}
        {`${formatNumber(minute.limit)} appels par minute au plus. Repart le ${formatDateTime(month.resetsAt)}.`}
      </p>
      <DayBars days={days} lastDay={lastDay} />
    </>
  )
}

/** Bars of the calls per day of the month, from zero; screen readers get a list. */
function DayBars({ days, lastDay }: { days: Usage['days']; lastDay: number }) {
  if (days.length === 0) return null
  const most = Math.max(...days.map(({ calls }) => calls))
  return (
    <>
      <svg
        viewBox={`0 0 ${lastDay * 10} 80`}
        preserveAspectRatio="none"
        className="mt-4 h-20 w-full"
        aria-hidden
      >
        {days.map(({ day, calls }) => {
          const height = Math.max(1, (calls / most) * 78)
          return (
            <rect
              key={day}
              x={(Number(day.slice(8)) - 1) * 10 + 1}
              y={80 - height}
              width="8"
              height={height}
              className="fill-river-fill"
            />
          )
        })}
      </svg>
      <p className="flex justify-between text-xs text-ink-soft" aria-hidden>
        <span>1er</span>
        <span>{lastDay}</span>
      </p>
      <ul className="sr-only">
        {days.map(({ day, calls }) => (
          <li key={day}>{`${Number(day.slice(8))}\u00a0: ${formatCount(calls, 'appel', 'appels')}`}</li>
        ))}
      </ul>
    </>
  )
}
