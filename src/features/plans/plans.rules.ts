/** How long a plan is paid for at a time: « mois » or « an ». */
export function periodName({ billingPeriod }: { billingPeriod: 'MONTHLY' | 'YEARLY' }): string {
  return billingPeriod === 'MONTHLY' ? 'mois' : 'an'
}

const counts = new Intl.NumberFormat('fr-FR')

/** How many alerts by SMS a plan comprises, as its card says it; null of none. */
export function smsComprised({ smsPerMonth }: { smsPerMonth: number }): string | null {
  if (smsPerMonth === 0) return null
  return `${counts.format(smsPerMonth)}\u00a0alerte${smsPerMonth > 1 ? 's' : ''} par SMS chaque mois`
}
