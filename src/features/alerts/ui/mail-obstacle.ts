import { me } from '#features/auth/auth.contract.ts'
import { notifications } from '#features/auth/notifications/notifications.contract.ts'
import { useAnswer } from '#web/query.ts'

/** Returns why the user gets no alert by mail; null when mails are sent, or while the answer loads. */
export function useMailObstacle(): 'stopped' | 'unconfirmed' | null {
  const account = useAnswer(me, {}).data?.user
  const choices = useAnswer(notifications.read, {}).data?.data
  if (choices?.some(({ kind, isWanted }) => kind === 'price-alerts' && !isWanted)) return 'stopped'
  return account?.email_verified === false ? 'unconfirmed' : null
}
