import { z } from 'zod'
import { channelNames, linkedChannels, mostTries, proofMinutes } from '#features/channels/channels.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { instant } from '#shared/fields.ts'

const channel = z.enum(channelNames, 'Ce canal n’existe pas')

const ownChannel = z
  .object({
    channel,
    isOffered: z.boolean(),
    state: z.enum(['none', 'confirmed', 'stopped', 'unreachable']),
    address: z.string().nullable(),
    confirmedAt: instant.nullable(),
    credit: z.object({ used: z.int(), limit: z.int() }).nullable(),
  })
  .meta({ id: 'Channel' })
export type OwnChannel = z.infer<typeof ownChannel>

/** A user's own channels besides mail. */
export const channels = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/channels',
    right: 'session',
    summary: 'Ses canaux d’alerte',
    description: 'Telegram, SMS et WhatsApp\u00a0: ceux que Ntalo propose, et ceux que l’on a confirmés.',
    response: z.object({ data: z.array(ownChannel), simulator: z.string().nullable() }),
  }),
  link: defineEndpoint({
    method: 'POST',
    path: '/api/channels/link',
    right: 'session',
    summary: 'Relier Telegram ou WhatsApp',
    description: `Donne une adresse à ouvrir dans l’application\u00a0: le message qu’elle envoie relie le compte. Elle vaut ${proofMinutes}\u00a0minutes.`,
    body: z
      .object({ channel: z.enum(linkedChannels, 'Ce canal ne se relie pas par un lien') })
      .meta({ id: 'ChannelLinkBody' }),
    response: z.object({ url: z.string(), message: z.string() }),
  }),
  code: defineEndpoint({
    method: 'POST',
    path: '/api/channels/code',
    right: 'session',
    summary: 'Recevoir un code par SMS',
    description: `Envoie six chiffres au numéro, qui le confirment. Le code vaut ${proofMinutes}\u00a0minutes.`,
    body: z
      .object({ phone: z.string('Un texte est attendu').max(40, '40 caractères au plus') })
      .meta({ id: 'PhoneCodeBody' }),
    response: acknowledgement,
  }),
  confirm: defineEndpoint({
    method: 'POST',
    path: '/api/channels/confirm',
    right: 'session',
    summary: 'Confirmer son numéro',
    description: `Avec le code reçu par SMS, ${mostTries}\u00a0essais au plus.`,
    body: z
      .object({ code: z.string('Un texte est attendu').max(20, '20 caractères au plus') })
      .meta({ id: 'PhoneConfirmation' }),
    response: acknowledgement,
  }),
  stop: defineEndpoint({
    method: 'POST',
    path: '/api/channels/stop',
    right: 'session',
    summary: 'Ne plus être prévenu par un canal',
    description: 'L’adresse est oubliée. Les alertes restent dans l’application.',
    body: z.object({ channel }).meta({ id: 'ChannelStop' }),
    response: acknowledgement,
  }),
}
