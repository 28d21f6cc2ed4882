import { CircleCheck, TriangleAlert } from 'lucide-react'
import { systemState } from '#features/system/system.contract.ts'
import { formatNumber, formatTime, notAvailable, plural } from '#web/format.ts'
import { LoadFailure, RefreshFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Card, Facts } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Measure = (typeof systemState.response)['_output']['measures'][number]

/** /systeme: the state of the platform, and what to do about alarms. */
export function SystemPage() {
  const answer = useAnswer(systemState, {}, { pauseMs: () => 10_000 })
  const { data, isError } = answer
  const alarms = data?.measures.filter(({ isAlarming }) => isAlarming) ?? []
  return (
    <>
      <PageHeader
        title="État du système"
        description={data && `Mesuré à ${formatTime(data.at)}, de nouveau toutes les 10\u00a0secondes.`}
      />
      {isError && data && <RefreshFailure answer={answer} />}
      <Card title="À faire" className="mb-4">
        {isError && !data && (
          <LoadFailure compact title="Erreur lors du chargement de l’état du système" answer={answer} />
        )}
        {answer.isPending && <Skeleton className="h-6" />}
        {data && !isError && alarms.length === 0 && (
          <p className="flex items-center gap-2">
            <CircleCheck className="size-5 shrink-0 text-green" aria-hidden />
            Rien n’alarme.
          </p>
        )}
        <ul className="grid gap-3">
          {alarms.map(({ name, title, advice }) => (
            <li key={name} className="flex items-start gap-2">
              <TriangleAlert className="mt-0.5 size-5 shrink-0 text-red" aria-hidden />
              <div>
                <p className="font-medium">{title}</p>
                <p className="text-ink-soft">{advice}</p>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {data && (
        <Card title="Mesures">
          <Facts items={data.measures.map((each) => ({ label: each.title, value: shownValue(each) }))} />
        </Card>
      )}
    </>
  )
}

function shownValue({ value, unit }: Measure): string {
  if (value === null) return notAvailable
  if (unit === 'bytes') return `${formatNumber(value / 1e9, 1)}\u00a0Go`
  if (unit === 'count') return formatNumber(value)
  if (value < 1) return `${formatNumber(value * 1000, 0)}\u00a0ms`
  if (value < 120) return `${formatNumber(value, 0)}\u00a0s`
  const minutes = Math.round(value / 60)
  return `${formatNumber(minutes)}\u00a0${plural(minutes, 'minute', 'minutes')}`
}
