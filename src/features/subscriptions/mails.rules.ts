import type { MailContent } from '#shared/mail.ts'

type Reminder = {
  /** Days until the last day covered; negative after it. */
  days: number
  name: string
  plan: string | null
  endDate: string
  planId: number | null
  lostSeats: number
}

/** Returns the mail that a subscription ends or has ended, with a link to the payment of the next period. */
export function reminderMail(reminder: Reminder, publicUrl: string): MailContent {
  const { days, name, plan, endDate, planId, lostSeats } = reminder
  const what = plan ? `Votre abonnement «\u202f${plan}\u202f»` : 'Votre essai gratuit'
  const end = inFull.format(new Date(endDate))
  const [title, when] =
    days < 0
      ? [`${what} est terminé`, `${what} s’est terminé le ${end}.`]
      : [
          days === 0
            ? `${what} se termine aujourd’hui`
            : `${what} se termine dans ${days}\u00a0jours au plus`,
          `${what} se termine le ${end}.`,
        ]
  const next = days < 0 ? 'dès que le paiement est confirmé' : 'quand l’actuelle finit'
  return {
    subject: title,
    paragraphs: [
      `Bonjour ${name},`,
      `${when} Pour continuer à consulter les prix, payez la période suivante\u00a0: elle commence ${next}.`,
      ...(planId !== null && lostSeats > 0
        ? [
            `Le plan qui suit a moins de places que vous n’avez de membres\u00a0: ${lostSeats > 1 ? `les ${lostSeats} derniers arrivés n’auront` : 'le dernier arrivé n’aura'} plus accès.`,
          ]
        : []),
    ],
    action:
      planId === null
        ? { label: 'Choisir un plan', url: `${publicUrl}/subscriptions` }
        : { label: 'Renouveler', url: `${publicUrl}/payments?planId=${planId}&renouveler=1` },
    notes: [
      'Vous ne voulez pas renouveler\u202f? Dites-le à la page Abonnements\u00a0: nous ne vous écrirons plus.',
    ],
  }
}

const inFull = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Africa/Kinshasa',
})
