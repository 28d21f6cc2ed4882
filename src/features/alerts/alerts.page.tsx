import { Link } from '@tanstack/react-router'
import { BellOff, BellRing, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AlertEvent, type AlertRule, alerts } from '#features/alerts/alerts.contract.ts'
import { alertChannelLabels, conditionText } from '#features/alerts/alerts.rules.ts'
import { useMailObstacle } from '#features/alerts/ui/mail-obstacle.ts'
import { useMarkAllRead, useMarkRead } from '#features/alerts/ui/mark-read.ts'
import { dayMs } from '#shared/days.ts'
import { listQuery } from '#shared/fields.ts'
import { formatDate, formatRelativeTime } from '#web/format.ts'
import { useExistingPage, useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** « Mes alertes »: the events, then the rules. */
export function AlertsPage() {
  const list = useAnswer(alerts.list, {})
  const obstacle = useMailObstacle()
  return (
    <>
      <PageHeader
        title="Mes alertes"
        description="Ce qui a sonné, et ce qui vous préviendra. Une alerte se crée depuis la page d’un prix."
        actions={
          <Link to="/products" className={buttonClass()}>
            Choisir un prix
          </Link>
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Events unread={list.data?.unread ?? 0} />
        <Card title="Ce qui vous préviendra" padded={false}>
          {list.error && !list.data && (
            <LoadFailure compact title="Erreur lors du chargement des alertes" answer={list} />
          )}
          {list.isPending && <Skeleton className="mx-4 h-24" />}
          {list.data?.data.length === 0 && (
            <EmptyState compact title="Aucune alerte">
              Ouvrez un prix, puis «&#8239;M’alerter&#8239;»&nbsp;: vous serez prévenu quand il bougera.
            </EmptyState>
          )}
          <ul className="divide-y divide-line border-t border-line">
            {list.data?.data.map((rule) => (
              <Rule key={rule.id} rule={rule} obstacle={obstacle} />
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}

const eventList = { name: 'alertes', query: listQuery(['createdAt'], 20) }

function Events({ unread }: { unread: number }) {
  const { query, setPage } = useListState(eventList)
  const answer = useAnswer(alerts.events, { query }, { keepsPrevious: true })
  useExistingPage(answer.data?.pagination, setPage)
  const { mutate: markAllRead } = useMarkAllRead()
  const { mutate: markRead } = useMarkRead()
  const rows = answer.data?.data ?? []
  return (
    <Card
      title="Ce qui a sonné"
      padded={false}
      actions={unread > 0 && <Button onClick={() => markAllRead({ body: {} })}>Tout marquer comme lu</Button>}
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des alertes" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="mx-4 h-24" />}
      {answer.data && rows.length === 0 && (
        <EmptyState compact title="Rien n’a encore sonné">
          Ce qui sonnera restera ici, même si l’e-mail se perd.
        </EmptyState>
      )}
      <ul className="divide-y divide-line border-t border-line">
        {rows.map((event) => (
          <EventLine
            key={event.id}
            event={event}
            onOpen={() => {
              if (!event.isRead) markRead(event.id)
            }}
          />
        ))}
      </ul>
      {answer.data && answer.data.pagination.pages > 1 && (
        <div className="p-4">
          <Pager
            {...answer.data.pagination}
            page={query.page}
            onPage={setPage}
            noun={['alerte', 'alertes']}
            busy={answer.isFetching}
          />
        </div>
      )}
    </Card>
  )
}

function EventLine({ event, onOpen }: { event: AlertEvent; onOpen: () => void }) {
  const { product, market, sentence, createdAt, isRead } = event
  return (
    <li className={`flex gap-3 px-4 py-3 sm:px-5 ${isRead ? '' : 'bg-river-soft'}`}>
      <BellRing className="mt-0.5 size-4 shrink-0 text-amber" aria-hidden />
      <div className="min-w-0 flex-1">
        <Link
          to="/series/$productId/$marketId"
          params={{ productId: String(product.id), marketId: String(market.id) }}
          onClick={onOpen}
          className="wrap-anywhere hover:text-river hover:underline"
        >
          {sentence}
        </Link>
        <p className="text-xs text-ink-soft">
          <time dateTime={createdAt}>{formatRelativeTime(createdAt)}</time>
          {!isRead && ', non lue'}
        </p>
      </div>
    </li>
  )
}

type Obstacle = ReturnType<typeof useMailObstacle>
const obstacleWords = { stopped: 'arrêté', unconfirmed: 'adresse à confirmer' }

/** Returns « , par e-mail et Telegram ». */
function byOf({ channels }: AlertRule, obstacle: Obstacle): string {
  const names = new Intl.ListFormat('fr-FR').format(
    channels.map((each) =>
      each === 'mail' && obstacle
        ? `${alertChannelLabels[each]} (${obstacleWords[obstacle]})`
        : alertChannelLabels[each],
    ),
  )
  return channels.length > 0 ? `, par ${names}` : ', dans l’application'
}

const quietDays = 7

function Rule({ rule, obstacle }: { rule: AlertRule; obstacle: Obstacle }) {
  const update = useAction(alerts.update)
  const remove = useAction(alerts.remove)
  const [isLeaving, setLeaving] = useState(false)
  const isMuted = rule.mutedUntil !== null && Date.parse(rule.mutedUntil) > Date.now()
  const { id, product, market } = rule
  const subject = `${product.name}, ${product.weight}${market ? `, ${market.name}, ${market.location}` : ', tous les marchés'}`
  const mute = (mutedUntil: string | null) => update.mutate({ params: { id }, body: { mutedUntil } })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {subject}
          {rule.isRinging && <Badge tone="ochre">sonne</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          {conditionText(rule)}
          {byOf(rule, obstacle)}
          {rule.lastRangAt && `, a sonné le ${formatDate(rule.lastRangAt)}`}
          {isMuted && `, se tait jusqu’au ${formatDate(rule.mutedUntil)}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          variant="ghost"
          icon={isMuted ? BellRing : BellOff}
          busy={update.isPending}
          onClick={() => mute(isMuted ? null : new Date(Date.now() + quietDays * dayMs).toISOString())}
        >
          {isMuted ? 'Réactiver' : 'Se taire 7\u00a0j'}
        </Button>
        <IconButton
          icon={Trash2}
          label={`Supprimer l’alerte sur ${subject}`}
          onClick={() => setLeaving(true)}
        />
      </div>
      {isLeaving && (
        <ConfirmDialog
          open
          title={'Supprimer cette alerte\u202f?'}
          confirmLabel="Supprimer"
          busy={remove.isPending}
          error={remove.error?.message}
          onClose={() => setLeaving(false)}
          onConfirm={() => remove.mutate({ params: { id } }, { onSuccess: () => setLeaving(false) })}
        >
          <p>{`${subject}\u00a0: ${conditionText(rule)}.`}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
