import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'

/** The optional notices by mail; notices about security are always sent. */
export const notificationKinds = ['subscription-reminders', 'price-alerts', 'sign-ins'] as const
export type NotificationKind = (typeof notificationKinds)[number]

const choices = z.object({
  data: z.array(
    z
      .object({ kind: z.enum(notificationKinds, 'Cette notification n’existe pas'), isWanted: z.boolean() })
      .meta({ id: 'NotificationChoice' }),
  ),
})

export const notifications = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/auth/notifications',
    right: 'session',
    summary: 'Les e-mails que l’on veut recevoir',
    description: 'Chaque sorte d’e-mails, et si elle est voulue.',
    response: choices,
  }),
  choose: defineEndpoint({
    method: 'PUT',
    path: '/api/auth/notifications',
    right: 'session',
    summary: 'Choisir les e-mails que l’on veut recevoir',
    description: 'Une sorte à la fois. Les e-mails de sécurité partent toujours.',
    body: z
      .object({
        kind: z.enum(notificationKinds, 'Cette notification n’existe pas'),
        isWanted: z.boolean('Vrai ou faux est attendu'),
      })
      .meta({ id: 'NotificationChange' }),
    response: choices.extend({ message: z.string() }),
  }),
}
