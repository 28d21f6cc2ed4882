import { paymentMethods } from '#features/payments/payments.contract.ts'
import { departureReasons, type Revenue } from '#features/revenue/revenue.contract.ts'

/** Definition of each revenue figure, on screen and in files. */
export const definitions = {
  received: 'Montant TTC des factures émises dans le mois, donc des paiements devenus payés ce mois-là.',
  refunded:
    'Montant des avoirs émis dans le mois\u00a0: ce qui a été rendu, quel que soit le mois du paiement.',
  waiting: 'Paiements demandés qui ne sont ni payés ni échoués en ce moment, selon leur âge.',
  recurring:
    'Ce que rapportent en un mois les plans des abonnés actifs, au prix actuel du plan\u202f; un plan annuel compte pour un douzième.',
  active:
    'Personnes dont une période payante court à la fin du mois, ou maintenant pour le mois en cours\u202f; les pauses comptent.',
  added: 'Personnes dont la toute première période payante commence dans le mois.',
  lost: 'Personnes dont la dernière période payante finit dans le mois, sans autre à la suite.',
  trials:
    'Part des essais finis dans le mois dont la personne a eu une période payante au plus tard 30 jours après.',
  byPlan: 'Factures émises dans le mois, par plan, sans déduire les avoirs.',
  byMethod: 'Factures émises dans le mois, par moyen de paiement, sans déduire les avoirs.',
} as const

export const ages: Record<Revenue['waiting'][number]['age'], string> = {
  day: 'moins d’un jour',
  week: 'un à sept jours',
  older: 'plus de sept jours',
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
    ...{ section, item, value, unit, definition },
  })
  const conversion = conversionOf(trials)
  const reasons = Object.entries(departureReasons).map(([why, name]) => ({
    name,
    count: lost.rows.filter((each) => each.why === why).length,
  }))
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
    ...reasons.map(({ name, count }) => line('Abonnés perdus', name, count, 'personnes', definitions.lost)),
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
