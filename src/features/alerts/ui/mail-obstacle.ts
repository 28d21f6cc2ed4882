import { me } from '#features/auth/auth.contract.ts'
import { notifications } from '#features/auth/notifications/notifications.contract.ts'
import { useAnswer } from '#web/query.ts'

/** Returns why no alert reaches the user by mail; null when they do, or while it is not known. */
export function useMailObstacle(): 'stopped' | 'unconfirmed' | null {
  const account = useAnswer(me, {}).data?.user
  const choices = useAnswer(notifications.read, {}).data?.data
  if (choices?.some(({ kind, isWanted }) => kind === 'price-alerts' && !isWanted)) return 'stopped'
  return account?.email_verified === false ? 'unconfirmed' : null
}
