/** Returns the billing period of a plan in words: « mois » or « an ». */
export function periodName({ billingPeriod }: { billingPeriod: 'MONTHLY' | 'YEARLY' }): string {
  return billingPeriod === 'MONTHLY' ? 'mois' : 'an'
}

const counts = new Intl.NumberFormat('fr-FR')

/** Returns the number of seats of a plan, as its card words it; null for the subscriber's own one only. */
export function seatsComprised({ seats }: { seats: number }): string | null {
  return seats > 1 ? `${counts.format(seats)}\u00a0places` : null
}

/** Returns the number of alerts by SMS of a plan, as its card words it; null for none. */
export function smsComprised({ smsPerMonth }: { smsPerMonth: number }): string | null {
  if (smsPerMonth === 0) return null
  return `${counts.format(smsPerMonth)}\u00a0alerte${smsPerMonth > 1 ? 's' : ''} par SMS chaque mois`
}
