import { findUnsubscribeLink } from '#features/alerts/alerts.sql.ts'
import type { NotificationKind } from '#features/auth/notifications/notifications.contract.ts'
import { chooseNotification } from '#features/auth/notifications/notifications.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { FormPage, PageAnswer, PageVisit } from '#server/http/pages.ts'
import { hashToken } from '#server/session/tokens.ts'

/** What a link in a mail leads to: one click, here or in the mail program, and mails of its kind end (RFC 8058). */
export function unsubscribePage(db: Db): FormPage {
  const page = (state: 'ask' | 'done' | 'unknown', token = ''): PageAnswer => ({
    view: 'unsubscribe',
    status: state === 'unknown' ? 404 : 200,
    props: { state, token },
  })
  const linkOf = ({ request }: PageVisit) => {
    const { token = '' } = request.params as { token?: string }
    return { token, find: () => findUnsubscribeLink(db, hashToken(token)) }
  }
  return {
    path: '/desabonnement/:token',
    async show(visit) {
      const { token, find } = linkOf(visit)
      return (await find()) ? page('ask', token) : page('unknown')
    },
    async take(_fields, visit) {
      const link = await linkOf(visit).find()
      if (!link) return page('unknown')
      await chooseNotification(db, link.userId, link.kind as NotificationKind, false)
      return page('done')
    },
  }
}
