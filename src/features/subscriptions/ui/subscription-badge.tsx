import {
  type SubscriptionStatus,
  subscriptionStatuses,
} from '#features/subscriptions/subscriptions.contract.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

const tones: Record<SubscriptionStatus, Tone> = {
  TRIAL: 'blue',
  ACTIVE: 'green',
  EXPIRED: 'grey',
  CANCELED: 'red',
  PAUSED: 'amber',
}

/** The status of a subscription in French. */
export function SubscriptionBadge({ status }: { status: SubscriptionStatus }) {
  return <Badge tone={tones[status]}>{subscriptionStatuses[status]}</Badge>
}
