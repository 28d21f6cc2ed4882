import { subscribers } from '#features/subscriptions/subscriptions.contract.ts'
import { call } from '#web/api.ts'
import type { SearchOptions } from '#web/ui/use-options.ts'

/** Searches the users who may be given a subscription: the team needs none. */
export const subscriberChoices: SearchOptions = async (search, signal) => {
  const { data } = await call(subscribers, { query: { search }, signal })
  return data.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
}
