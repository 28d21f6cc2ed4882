import type { UnsubscribeState } from '#features/alerts/alerts.rules.ts'
import { findUnsubscribeLink } from '#features/alerts/alerts.sql.ts'
import type { NotificationKind } from '#features/auth/notifications/notifications.contract.ts'
import { chooseNotification } from '#features/auth/notifications/notifications.sql.ts'
import { stopChannelOf } from '#features/channels/channels.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { FormPage, PageAnswer, PageVisit } from '#server/http/pages.ts'
import { hashToken } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

/**
 * The pages of unsubscribe links: one click, here or in the mail program, ends messages of that kind (RFC 8058). The
 * shorter address is for SMS.
 */
export function unsubscribePages(db: Db): FormPage[] {
  return ['/desabonnement/:token', '/s/:token'].map((path) => unsubscribePage(db, path))
}

function unsubscribePage(db: Db, path: string): FormPage {
  const page = (state: UnsubscribeState, kind: string | undefined, action = ''): PageAnswer => ({
    view: 'unsubscribe',
    status: state === 'unknown' ? 404 : 200,
    props: { state, action, by: kind === 'sms' ? 'sms' : 'mail' },
  })
  const linkOf = ({ request }: PageVisit) => {
    const { token = '' } = request.params as { token?: string }
    return { token, find: () => findUnsubscribeLink(db, hashToken(token)) }
  }
  return {
    path,
    async show(visit) {
      const { token, find } = linkOf(visit)
      const link = await find()
      return link ? page('ask', link.kind, path.replace(':token', token)) : page('unknown', undefined)
    },
    async take(_fields, visit) {
      const link = await linkOf(visit).find()
      if (!link) return page('unknown', undefined)
      const { userId, kind } = link
      // Who holds the link is not known: a mail program follows it too.
      const author = authorOf({ actor: null, request: visit.request })
      await inTransaction(db, async (tx) => {
        if (kind === 'sms') {
          await stopChannelOf(tx, userId, kind)
          const after = { channel: kind, because: 'asked' }
          await insertAudit(tx, author, { action: 'stop', entity: 'channels', entityId: userId, after })
        } else {
          await chooseNotification(tx, userId, kind as NotificationKind, false)
          const after = { [kind]: false }
          await insertAudit(tx, author, {
            action: 'update',
            entity: 'notifications',
            entityId: userId,
            after,
          })
        }
      })
      return page('done', kind)
    },
  }
}
