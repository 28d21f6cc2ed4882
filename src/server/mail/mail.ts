// Mails are sent after the transaction that queues them commits, by any process: docs/decisions/0013-mail.md.

import { z } from 'zod'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import {
  type ClaimedMail,
  claimMail,
  insertMail,
  type Mail,
  noteMailFailure,
} from '#server/mail/outgoing-mail.sql.ts'
import {
  type MailMessage,
  type MailTransport,
  type MailTransportOptions,
  openMailTransport,
} from '#server/mail/transport.ts'
import { drawMailChart } from '#server/pictures/mail-chart.ts'
import type { Views } from '#server/views.ts'
import { dayS } from '#shared/days.ts'
import { chartId, type MailContent, mailContent, mailSubject, mailText } from '#shared/mail.ts'

const sendMails = defineJob('send mails', z.object({}))

/**
 * Queues a mail within `tx`; it is sent only if the transaction commits. An outage of the mail server only delays it.
 */
export async function queueMail(tx: Db, mail: Mail): Promise<void> {
  const subject = mailSubject(mail.content.subject)
  await insertMail(tx, { ...mail, content: mailContent.parse({ ...mail.content, subject }) })
  await sendMails.add(tx, {})
}

const oftenMs = 30_000
/** Age (s) after which a mail that could not be sent is given up. */
export const patienceS = 5 * dayS
/**
 * Time limit (ms) of sending; below the shortest retry delay (1 min), so that no other process sends the mail
 * meanwhile.
 */
export const longestSendMs = 45_000

/** Returns the tasks that send mails: one for new mails, and a recurring one for retries. */
export function mailTasks(dependencies: {
  db: Db
  views: Pick<Views, 'renderMail'>
  transport: MailTransportOptions
  log: Log
}): Task[] {
  const run = async (signal: AbortSignal) => {
    const transport = openMailTransport(dependencies.transport)
    try {
      while (!signal.aborted) {
        const mail = await claimMail(dependencies.db)
        if (!mail || !(await deliver(mail, transport, signal))) return
      }
    } finally {
      transport.close()
    }
  }

  /** @returns whether the next mail is worth trying */
  async function deliver(mail: ClaimedMail, transport: MailTransport, signal: AbortSignal): Promise<boolean> {
    const { db, views, log } = dependencies
    try {
      const content = mailContent.parse(mail.content)
      const { key, recipient: to, reply_to: replyTo } = mail
      await send({ key, to, replyTo, content }, { transport, views }, signal)
    } catch (error) {
      if (signal.aborted) return false
      const { reason, isFinal, isOurs } = diagnose(error)
      if (isFinal || mail.age_s > patienceS) {
        log.warn({ mail: mail.id, reason }, 'mail given up')
        await deleteRow(db, 'outgoing_mail', mail.id)
      } else {
        log.warn({ mail: mail.id, reason, attempt: mail.attempts }, 'mail not sent yet')
        await noteMailFailure(db, mail.id, reason)
      }
      return !isOurs
    }
    await deleteRow(db, 'outgoing_mail', mail.id)
    return true
  }

  return [
    sendMails.doneBy((_payload, { signal }) => run(signal)),
    { name: 'send late mails', everyMs: oftenMs, run: (_payload, { signal }) => run(signal) },
  ]
}

type Sending = { transport: MailTransport; views: Pick<Views, 'renderMail'> }
type UnrenderedMail = Pick<MailMessage, 'key' | 'to' | 'replyTo'> & { content: MailContent }

async function send(
  { content, ...envelope }: UnrenderedMail,
  { transport, views }: Sending,
  signal: AbortSignal,
): Promise<void> {
  // The timer holds a reference: `AbortSignal.timeout`, used only in `any`, may be garbage-collected before it fires.
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), longestSendMs)
  try {
    const { subject, unsubscribeUrl } = content
    const pictures = await Promise.all(
      (content.charts ?? []).map(async (chart, at) => ({ id: chartId(at), png: await drawMailChart(chart) })),
    )
    const rendered = {
      subject,
      unsubscribeUrl,
      html: views.renderMail(content),
      text: mailText(content),
      pictures,
    }
    await orAborted(transport.send({ ...envelope, ...rendered }), AbortSignal.any([signal, timeout.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/**
 * `later`: the mail server certainly has not accepted it. `unknown`: it may have, so the mail must not be sent again.
 */
export type MailOutcome = 'sent' | 'refused' | 'later' | 'unknown'

/** SMTP commands before the content of the mail; a failure at one of them means that nothing was sent. */
const beforeMail = ['CONN', 'EHLO', 'HELO', 'STARTTLS', 'AUTH', 'MAIL FROM', 'RCPT TO']

/**
 * Sends a mail now, at most once. The caller must record the attempt before the call, and must not call again for a
 * mail that may have been sent.
 */
export async function sendAtMostOnce(
  mail: UnrenderedMail,
  sending: Sending,
  signal: AbortSignal,
): Promise<MailOutcome> {
  try {
    await send(mail, sending, signal)
    return 'sent'
  } catch (error) {
    const { command, responseCode } = Object(error)
    const { isFinal } = diagnose(error)
    if (isFinal) return 'refused'
    const isAnswered = command === 'DATA' && responseCode >= 400
    return isAnswered || beforeMail.some((each) => String(command).startsWith(each)) ? 'later' : 'unknown'
  }
}

/** Classifies an error. `isFinal`: the address is refused permanently. `isOurs`: other mails would fail too. */
function diagnose(error: unknown): { reason: string; isFinal: boolean; isOurs: boolean } {
  const { code, command, responseCode } = Object(error)
  const isOfRecipient = command === 'RCPT TO'
  return {
    // The server's message is left out, because it repeats the address.
    reason: [code ?? 'error', command, responseCode].filter((part) => part !== undefined).join(' '),
    isFinal: isOfRecipient && responseCode >= 500,
    isOurs: !isOfRecipient && code !== 'EMESSAGE',
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
