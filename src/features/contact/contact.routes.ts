import { createHash } from 'node:crypto'
import { contact, messages } from '#features/contact/contact.contract.ts'
import { insertMessage, messageRows, updateMessage } from '#features/contact/contact.sql.ts'
import { messageMail, receivedMail } from '#features/contact/mails.rules.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { FormPage, PageAnswer } from '#server/http/pages.ts'
import { submit } from '#server/http/pages.ts'
import { networkOf } from '#server/http/visitors.ts'
import { queueMail } from '#server/mail/mail.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { authorOf } from '#server/writes.ts'

const perAddressAndHour = { hits: 30, windowS: 3600 }
// An acknowledgement goes to the address in the message, which anyone can type: over this limit, none is sent.
const acknowledgedPerHour = { hits: 5, windowS: 3600 }

const thanks = 'Votre message est envoyé. Nous vous répondrons par e-mail.'

/**
 * Registers the routes of messages.
 * @param team address that receives the messages
 */
export function contactRoutes(api: Api, db: Db, exports: Exports, team: string): void {
  api.on(contact, async (call) => {
    const { website, ...written } = call.body
    const { message: text, ...sender } = written
    await spend(db, `contact:address:${networkOf(call.request.ip)}`, perAddressAndHour)
    // A bot gets the usual response and learns nothing.
    if (website) return { message: thanks }
    const isAcknowledged = await mayAcknowledge(db, written.email)
    await inTransaction(db, async (tx) => {
      const entityId = await insertMessage(tx, { ...sender, text }, false)
      await insertAudit(tx, authorOf(call), { action: 'create', entity: 'messages', entityId })
      await queueMail(tx, { to: team, replyTo: written.email, content: messageMail(written) })
      if (isAcknowledged) await queueMail(tx, { to: written.email, content: receivedMail })
    })
    return { message: thanks }
  })

  crudRoutes(api, db, exports, messages, {
    ...messageRows,
    insert: (tx, input) => insertMessage(tx, input, true),
    update: updateMessage,
    constraints: {},
  })
}

async function mayAcknowledge(db: Db, email: string): Promise<boolean> {
  try {
    const sender = createHash('sha256').update(email.toLowerCase()).digest('base64url')
    await spend(db, `contact:sender:${sender}`, acknowledgedPerHour)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'limited') return false
    throw error
  }
}

const longestSubject = 200

/** Returns the page of the form, which works without scripts. */
export function contactPage(shared: () => Promise<object>): FormPage {
  const page = async (shown: object, status = 200): Promise<PageAnswer> => ({
    view: 'contact',
    status,
    props: { values: {}, notice: null, faults: {}, ...(await shared()), ...shown },
  })
  return {
    path: '/contact',
    show: ({ query }) =>
      page({
        values: query.sujet ? { subject: query.sujet.slice(0, longestSubject) } : {},
        notice: query.envoye ? { tone: 'success', message: thanks } : null,
      }),
    async take(fields, visit) {
      const outcome = await submit(visit, contact, fields)
      if (outcome.isDone) return { goTo: '/contact?envoye=1' }
      const { status, message, faults } = outcome
      const notice = { tone: 'error', title: 'Message non envoyé', message }
      return page({ values: fields, faults, notice }, status)
    },
  }
}
