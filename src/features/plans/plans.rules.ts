/** How long a plan is paid for at a time: « mois » or « an ». */
export function periodName({ billingPeriod }: { billingPeriod: 'MONTHLY' | 'YEARLY' }): string {
  return billingPeriod === 'MONTHLY' ? 'mois' : 'an'
}
