import { Link } from '@tanstack/react-router'
import type { Control, FieldValues, Path } from 'react-hook-form'
import { useMailObstacle } from '#features/alerts/ui/mail-obstacle.ts'
import { channels, type OwnChannel } from '#features/channels/channels.contract.ts'
import { channelLabels, channelNames } from '#features/channels/channels.rules.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'

type ChannelChoiceProps<Values extends FieldValues> = {
  control: Control<Values, unknown, FieldValues>
  name: Path<Values>
}

/** The channels of an alert, besides the application; a channel that cannot be chosen shows the reason. */
export function ChannelChoice<Values extends FieldValues>({ control, name }: ChannelChoiceProps<Values>) {
  const { email } = useUser()
  const obstacle = useMailObstacle()
  const own = useAnswer(channels.list, {}).data?.data ?? []
  const options = channelNames.map((value) => {
    const row = own.find((each) => each.channel === value)
    const isReady = row?.isOffered === true && row.state === 'confirmed'
    return { value, label: channelLabels[value], hint: row ? hintOf(row) : 'Chargement…', isFixed: !isReady }
  })
  const isChannelUnconfirmed = own.some(({ isOffered, state }) => isOffered && state !== 'confirmed')
  return (
    <div>
      <CheckboxList
        control={control}
        name={name}
        label="Me prévenir aussi par"
        groups={[
          {
            options: [
              { value: 'mail', label: 'E-mail', hint: obstacle ? mailHints[obstacle] : `À ${email}` },
              ...options,
            ],
          },
        ]}
      />
      <p className="mt-1.5 text-xs text-ink-soft">
        {'Toujours dans l’application\u202f; ailleurs, au plus un message par heure. '}
        {(isChannelUnconfirmed || obstacle) && (
          <Link to="/settings" className="text-river underline">
            {obstacle ? 'Ouvrir mes paramètres' : 'Confirmer un canal dans mes paramètres'}
          </Link>
        )}
      </p>
    </div>
  )
}

const mailHints = {
  stopped: 'Arrêté par vous\u00a0: rien ne partira',
  unconfirmed: 'Rien ne partira tant que votre adresse n’est pas confirmée',
}

function hintOf({ isOffered, state, address, credit }: OwnChannel): string {
  if (!isOffered) return 'Pas encore proposé'
  if (state === 'none') return 'À confirmer dans vos paramètres'
  if (state === 'stopped') return 'Arrêté par vous'
  if (state === 'unreachable') return 'Injoignable, à confirmer à nouveau'
  if (!credit) return 'Votre compte relié'
  const left = Math.max(0, credit.limit - credit.used)
  return `Au +${address}, ${left === 0 ? 'crédit du mois épuisé' : `encore ${left} ce mois-ci`}`
}
