import { useNavigate } from '@tanstack/react-router'
import { subscriptions } from '#features/subscriptions/subscriptions.contract.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useAction } from '#web/query.ts'

const trial = { status: 'TRIAL', planId: null } as const
const acceptedKey = 'ntalo.trial-accepted'

/** Returns whether the free trial was accepted since the user signed in here. */
export function isTrialAccepted(): boolean {
  return sessionStorage.getItem(acceptedKey) !== null
}

/** Starts the user's own free trial, then opens the first page. */
export function useTrial() {
  const navigate = useNavigate()
  const attempt = useAttempt()
  const creation = useAction(subscriptions.create, {
    onDone: () => {
      sessionStorage.setItem(acceptedKey, '1')
      void navigate({ to: '/dashboard' })
    },
  })
  return {
    isPending: creation.isPending,
    start: () => creation.mutate({ body: trial, headers: attempt.headersFor(trial) }),
  }
}
