import { Pencil, X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import {
  mostPlannedVisits,
  type PlannedVisit,
  plannedVisits,
} from '#features/collection/plans/plans.contract.ts'
import { isOver } from '#features/collection/plans/plans.rules.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { dayInKinshasa } from '#shared/days.ts'
import { formatDate } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { DateField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import type { Option } from '#web/ui/use-options.ts'

const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
const today = () => dayInKinshasa(new Date())

type PlannedVisitsProps = { isOwn: boolean; agents: readonly { id: number; name: string }[] }

/** The planned visits and whether they were made; users with `collection.write` plan others. */
export function PlannedVisits({ isOwn, agents }: PlannedVisitsProps) {
  const { permissions } = useUser()
  const mayPlan = !isOwn && permissions.includes('collection.write')
  const [agentId, setAgentId] = useState('')
  const query = isOwn ? { mine: 'true' as const } : { agentId: Number(agentId) || undefined }
  const answer = useAnswer(plannedVisits.list, { query }, { keepsPrevious: true })
  const isCut = (answer.data?.data.length ?? 0) >= mostPlannedVisits
  const remove = useAction(plannedVisits.remove)
  const [edited, setEdited] = useState<PlannedVisit | null>(null)
  // The agent of a planned visit may be suspended, or have no market any more.
  const isKnown = !edited || agents.some(({ id }) => id === edited.agent.id)
  const choices = isKnown ? agents : [edited.agent, ...agents]
  return (
    <Card
      title="Visites prévues"
      description="Une visite de chaque semaine est faite quel que soit le jour où l’agent passe cette semaine-là."
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des visites prévues" answer={answer} />
      )}
      {!isOwn && (isCut || agentId !== '') && (
        <SelectField
          label="Visites de"
          className="mb-2 max-w-xs"
          value={agentId}
          onChange={(event) => setAgentId(event.target.value)}
          options={[
            { value: '', label: 'Tous les agents' },
            ...agents.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {answer.data?.data.length === 0 && <p className="text-ink-soft">Aucune visite n’est prévue.</p>}
      <ul className="divide-y divide-line">
        {answer.data?.data.map((plan) => (
          <li
            key={plan.id}
            className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
          >
            <span className="min-w-0 flex-1 basis-48">
              <span className="block font-medium wrap-anywhere">{`${plan.market.name}, ${plan.market.location}`}</span>
              <span className="block text-sm text-ink-soft">
                {isOwn ? whenText(plan) : `${plan.agent.name}, ${whenText(plan)}`}
              </span>
            </span>
            <span className="flex items-center gap-2">
              <Badge tone={plan.isDone ? 'green' : isOver(plan, today()) ? 'amber' : 'grey'}>
                {plan.isDone ? 'faite' : isOver(plan, today()) ? 'pas faite' : 'à faire'}
              </Badge>
              {mayPlan && (
                <IconButton
                  icon={Pencil}
                  label={`Changer la visite de ${plan.agent.name} à ${plan.market.name}`}
                  onClick={() => setEdited(plan)}
                />
              )}
              {mayPlan && (
                <IconButton
                  icon={X}
                  label={`Ne plus prévoir ${plan.market.name} pour ${plan.agent.name}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ params: { id: plan.id } })}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
      {isCut && (
        <p className="text-ink-soft">
          {`Voici les ${mostPlannedVisits} premières. ${isOwn ? '' : 'Choisissez un agent pour voir les siennes.'}`}
        </p>
      )}
      {mayPlan && choices.length > 0 && (
        <PlanForm key={edited?.id ?? 'new'} agents={choices} plan={edited} onLeave={() => setEdited(null)} />
      )}
    </Card>
  )
}

/** Returns « le 28 nov. 2026 », « chaque mardi ». */
function whenText({ day, weekday }: PlannedVisit): string {
  return day ? `le ${formatDate(day)}` : `chaque ${weekdays[(weekday ?? 1) - 1]}`
}

type PlanFormProps = Pick<PlannedVisitsProps, 'agents'> & {
  /** The visit to edit; null to plan a new one. */
  plan: PlannedVisit | null
  onLeave: () => void
}

function PlanForm({ agents, plan, onLeave }: PlanFormProps) {
  const [market, setMarket] = useState<Option | null>(
    plan && { value: String(plan.market.id), label: `${plan.market.name}, ${plan.market.location}` },
  )
  const [weekday, setWeekday] = useState(plan?.weekday ? String(plan.weekday) : '')
  const create = useAction(plannedVisits.create, { onDone: () => setMarket(null) })
  const update = useAction(plannedVisits.update, { onDone: onLeave })
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    if (!market) return
    const when = weekday ? { weekday: Number(weekday) } : { day: String(form.get('day')) }
    const body = { agentId: Number(form.get('agent')), marketId: Number(market.value), ...when }
    if (plan) update.mutate({ params: { id: plan.id }, body })
    else create.mutate({ body })
  }
  return (
    <form onSubmit={submit} className="mt-4 grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-5">
      <SelectField
        label="Agent"
        name="agent"
        defaultValue={plan?.agent.id}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Combobox label="Marché" value={market} search={marketChoices.search} onChange={setMarket} />
      <SelectField
        label="Rythme"
        value={weekday}
        onChange={(event) => setWeekday(event.target.value)}
        options={[
          { value: '', label: 'Un seul jour' },
          ...weekdays.map((name, place) => ({ value: String(place + 1), label: `Chaque ${name}` })),
        ]}
      />
      {weekday === '' && (
        <DateField label="Jour" name="day" required min={today()} defaultValue={plan?.day ?? today()} />
      )}
      <span className="flex gap-3">
        <Button
          type="submit"
          variant="primary"
          busy={create.isPending || update.isPending}
          aria-disabled={!market}
        >
          {plan ? 'Changer' : 'Prévoir'}
        </Button>
        {plan && <Button onClick={onLeave}>Annuler</Button>}
      </span>
    </form>
  )
}
