import { useState } from 'react'
import { channels, type OwnChannel } from '#features/channels/channels.contract.ts'
import { channelLabels } from '#features/channels/channels.rules.ts'
import { LinkDialog } from '#features/channels/ui/link-dialog.tsx'
import { PhoneDialog } from '#features/channels/ui/phone-dialog.tsx'
import { formatCount, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The channels of alerts besides mail: those offered, those confirmed, and what each one needs. */
export function ChannelsCard() {
  const answer = useAnswer(channels.list, {})
  const [opened, setOpened] = useState<OwnChannel['channel'] | null>(null)
  const close = () => setOpened(null)
  const { data: rows = [], simulator = null } = answer.data ?? {}
  return (
    <Card
      title="Alertes sur votre téléphone"
      description={
        'Au plus un message par heure et par canal, et aucun entre 21\u00a0h et 6\u00a0h, heure de Kinshasa.'
      }
      footer={
        simulator && (
          <>
            {'Démonstration\u00a0: rien ne part. '}
            <a href={simulator} target="_blank" rel="noreferrer" className="text-river underline">
              Ouvrir le téléphone simulé
            </a>
          </>
        )
      }
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des canaux" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-24 w-full" />}
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <Row key={row.channel} row={row} onConfirm={() => setOpened(row.channel)} />
        ))}
      </ul>
      {opened === 'sms' && <PhoneDialog onClose={close} />}
      {opened && opened !== 'sms' && <LinkDialog channel={opened} onClose={close} />}
    </Card>
  )
}

const badges: Record<Exclude<OwnChannel['state'], 'none'>, { tone: Tone; label: string }> = {
  confirmed: { tone: 'green', label: 'Confirmé' },
  stopped: { tone: 'grey', label: 'Arrêté' },
  unreachable: { tone: 'amber', label: 'Injoignable' },
}

function Row({ row, onConfirm }: { row: OwnChannel; onConfirm: () => void }) {
  const stop = useAction(channels.stop)
  const { channel, isOffered, state, address } = row
  const label = channelLabels[channel]
  const badge = state === 'none' ? null : badges[state]
  const isRelinked = state === 'confirmed' && channel === 'sms'
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
      <span className="min-w-0 flex-1 basis-56">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {label}
          {address && <span className="font-normal whitespace-nowrap">{`+${address}`}</span>}
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </span>
        <span className="block text-xs text-ink-soft">{hintOf(row)}</span>
      </span>
      <span className="flex flex-wrap gap-2">
        {isOffered && (state !== 'confirmed' || isRelinked) && (
          <Button onClick={onConfirm}>
            {channel !== 'sms'
              ? `Relier ${label}`
              : state === 'confirmed'
                ? 'Changer de numéro'
                : 'Confirmer un numéro'}
          </Button>
        )}
        {state === 'confirmed' && (
          <Button
            variant="ghost"
            busy={stop.isPending}
            aria-label={`Ne plus être prévenu par ${label}`}
            onClick={() => stop.mutate({ body: { channel } })}
          >
            Arrêter
          </Button>
        )}
      </span>
    </li>
  )
}

function hintOf({ channel, isOffered, state, credit }: OwnChannel): string {
  if (!isOffered) return 'Pas encore proposé par Ntalo.'
  if (state === 'unreachable') {
    return channel === 'sms'
      ? 'L’opérateur ne reconnaît pas ce numéro. Confirmez-en un autre.'
      : 'Le compte nous a bloqués. Reliez-le à nouveau pour recevoir vos alertes.'
  }
  if (credit) {
    const { used, limit } = credit
    const isSpent = used >= limit ? '\u00a0: les suivantes restent dans l’application' : ''
    return `${formatNumber(used)} sur ${formatCount(limit, 'SMS', 'SMS')} de ce mois${isSpent}.`
  }
  return channel === 'telegram'
    ? 'Gratuit. Écrivez aussi «\u202friz goma\u202f» au bot pour lire un prix.'
    : 'Par le compte officiel de Ntalo.'
}
