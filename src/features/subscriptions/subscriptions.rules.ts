/** The specification's trial, counted from registration. */
export const trialDays = 14

const dayMs = 86_400_000

export type AccessFacts = {
  accountCreatedAt: string
  subscriptions: readonly { status: string; startDate: string; endDate: string }[]
}

/**
 * Whether the data are open to a subscriber: a subscription ACTIVE or TRIAL that has begun and not ended, or an account
 * younger than the trial. The one function that decides the 402, the gate and what both say.
 */
export function hasDataAccess({ accountCreatedAt, subscriptions }: AccessFacts, at: Date): boolean {
  const now = at.getTime()
  const isInTrial = now < Date.parse(accountCreatedAt) + trialDays * dayMs
  return (
    isInTrial ||
    subscriptions.some(
      ({ status, startDate, endDate }) =>
        (status === 'ACTIVE' || status === 'TRIAL') &&
        Date.parse(startDate) <= now &&
        now < Date.parse(endDate),
    )
  )
}
