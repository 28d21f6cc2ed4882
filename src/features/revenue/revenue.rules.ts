import { paymentMethods } from '#features/payments/payments.contract.ts'
import { departureReasons, type Revenue } from '#features/revenue/revenue.contract.ts'
import { addDays, dayInKinshasa, dayMs } from '#shared/days.ts'

/** Definition of each revenue figure, on screen and in files. */
export const definitions = {
  received: 'Montant TTC des factures émises dans le mois, donc des paiements devenus payés ce mois-là.',
  refunded:
    'Montant des avoirs émis dans le mois\u00a0: ce qui a été rendu, quel que soit le mois du paiement.',
  waiting:
    'Paiements demandés qui ne sont ni payés ni échoués en ce moment, selon le jour de la demande à Kinshasa\u202f; les virements attendus ne comptent pas.',
  recurring:
    'Ce que rapportent en un mois les plans des abonnés actifs, au prix actuel du plan\u202f; un plan annuel compte pour un douzième.',
  active:
    'Personnes dont une période payante court à la fin du mois, ou maintenant pour le mois en cours\u202f; les pauses comptent, pas ce qui est offert sans paiement.',
  added:
    'Personnes dont la toute première période payante commence dans le mois\u202f; une période offerte n’est pas payante.',
  lost: 'Personnes dont la dernière période payante finit dans le mois, sans autre à la suite.',
  trials:
    'Part des essais finis dans le mois dont la personne a eu une période payante au plus tard 30 jours après.',
  byPlan: 'Factures émises dans le mois, par plan, sans déduire les avoirs.',
  byMethod: 'Factures émises dans le mois, par moyen de paiement, sans déduire les avoirs.',
} as const

export const ages: Record<Revenue['waiting'][number]['age'], string> = {
  older: 'plus de sept jours',
  week: 'un à sept jours',
  day: 'aujourd’hui',
}

/** Returns the filters that list the payments of an age band: the days on which they were requested. */
export function daysOfAge(age: keyof typeof ages, today: string): { startDate?: string; endDate?: string } {
  if (age === 'day') return { startDate: today }
  return age === 'week'
    ? { startDate: addDays(today, -7), endDate: addDays(today, -1) }
    : { endDate: addDays(today, -8) }
}

/** Returns the age of a payment in days of Kinshasa. */
export function daysWaited(askedAt: string, today: string): number {
  return (Date.parse(today) - Date.parse(dayInKinshasa(askedAt))) / dayMs
}

/** Returns the first and the last day of a month, `yyyy-mm-dd`. */
export function daysOf(month: string): { startDate: string; endDate: string } {
  const last = new Date(`${month}-01T00:00:00Z`)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return { startDate: `${month}-01`, endDate: last.toISOString().slice(0, 10) }
}

/** Returns the percentage of ended trials that led to a paid period; null where none ended. */
export function conversionOf({ ended, converted }: Revenue['trials']): number | null {
  return ended === 0 ? null : (100 * converted) / ended
}

/** A line of the file: a figure with its unit and definition. */
export type RevenueLine = { section: string; item: string; value: number; unit: string; definition: string }

/** Returns every figure as a line, in the order of the screen. */
export function linesOf(revenue: Revenue): RevenueLine[] {
  const { months, waiting, recurring, active, added, lost, trials, byPlan, byMethod } = revenue
  const line = (section: string, item: string, value: number, unit: string, definition: string) => ({
    section,
    item,
    value,
    unit,
    definition,
  })
  const conversion = conversionOf(trials)
  return [
    ...months.flatMap(({ month, currency, received, refunded }) => [
      line('Reçu', month, received, currency, definitions.received),
      line('Remboursé', month, refunded, currency, definitions.refunded),
    ]),
    ...waiting.map(({ age, amount, currency }) =>
      line('En attente', ages[age], amount, currency, definitions.waiting),
    ),
    ...recurring.map(({ amount, currency }) =>
      line('Revenu mensuel récurrent', revenue.month, amount, currency, definitions.recurring),
    ),
    line('Abonnés', 'actifs', active, 'personnes', definitions.active),
    line('Abonnés', 'nouveaux', added.count, 'personnes', definitions.added),
    line('Abonnés', 'perdus', lost.count, 'personnes', definitions.lost),
    ...lost.reasons.map(({ why, count }) =>
      line('Abonnés perdus', departureReasons[why], count, 'personnes', definitions.lost),
    ),
    line('Essais', 'finis', trials.ended, 'essais', definitions.trials),
    ...(conversion === null ? [] : [line('Essais', 'convertis', conversion, '%', definitions.trials)]),
    ...byPlan.map(({ plan, amount, currency }) =>
      line('Par plan', plan ?? 'sans plan', amount, currency, definitions.byPlan),
    ),
    ...byMethod.map(({ paymentMethod, amount, currency }) =>
      line('Par moyen', paymentMethods[paymentMethod], amount, currency, definitions.byMethod),
    ),
  ]
}
