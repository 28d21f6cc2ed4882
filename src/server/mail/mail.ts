// Mails leave after the transaction that causes them, from whichever process is there: docs/decisions/0013-mail.md.

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
import { type Letter, openPost, type Post, type PostOptions } from '#server/mail/post.ts'
import { drawMailChart } from '#server/pictures/mail-chart.ts'
import type { Views } from '#server/views.ts'
import { dayS } from '#shared/days.ts'
import { chartId, type MailContent, mailContent, mailText } from '#shared/mail.ts'

const sendMails = defineJob('send mails', z.object({}))

/** Has a mail sent if the transaction commits, and after it. A mail server that is away for days delays it only. */
export async function queueMail(tx: Db, mail: Mail): Promise<void> {
  await insertMail(tx, { ...mail, content: mailContent.parse(mail.content) })
  await sendMails.add(tx, {})
}

const oftenMs = 30_000
/** How long a mail is tried again; after that nobody waits for it any more. */
const patienceS = 5 * dayS
/** Less than the shortest time after which a mail is due again: no other process sends it meanwhile. */
export const longestSendMs = 45_000

/** What sends mails: at once, and again those that could not leave. */
export function mailTasks(world: {
  db: Db
  views: Pick<Views, 'renderMail'>
  post: PostOptions
  log: Log
}): Task[] {
  const run = async (signal: AbortSignal) => {
    const post = openPost(world.post)
    try {
      while (!signal.aborted) {
        const mail = await claimMail(world.db)
        if (!mail || !(await deliver(mail, post, signal))) return
      }
    } finally {
      post.close()
    }
  }

  /** @returns whether the next mail is worth trying */
  async function deliver(mail: ClaimedMail, post: Post, signal: AbortSignal): Promise<boolean> {
    const { db, views, log } = world
    try {
      const content = mailContent.parse(mail.content)
      const { key, recipient: to, reply_to: replyTo } = mail
      await send({ key, to, replyTo, content }, { post, views }, signal)
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

type Sending = { post: Post; views: Pick<Views, 'renderMail'> }
type Written = Pick<Letter, 'key' | 'to' | 'replyTo'> & { content: MailContent }

async function send(
  { content, ...letter }: Written,
  { post, views }: Sending,
  signal: AbortSignal,
): Promise<void> {
  // Held by its timer: a time-out that only another signal follows may be collected before it comes.
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), longestSendMs)
  try {
    const { subject, unsubscribeUrl } = content
    const pictures = await Promise.all(
      (content.charts ?? []).map(async (chart, at) => ({ id: chartId(at), png: await drawMailChart(chart) })),
    )
    const said = {
      subject,
      unsubscribeUrl,
      html: views.renderMail(content),
      text: mailText(content),
      pictures,
    }
    await orAborted(post.send({ ...letter, ...said }), AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** `later`: the mail server has certainly not got it. `unknown`: it may have it, and nobody should send it again. */
export type MailOutcome = 'sent' | 'refused' | 'later' | 'unknown'

/** What the mail server was told before the mail itself. */
const beforeMail = ['CONN', 'EHLO', 'HELO', 'STARTTLS', 'AUTH', 'MAIL FROM', 'RCPT TO']

/**
 * Sends a mail now, for who must not have it twice: he writes down that he begins before he calls, and never calls again
 * what may have been sent.
 */
export async function sendAtMostOnce(
  mail: Written,
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

/** What went wrong. `isFinal`: this address will never be served. `isOurs`: no other mail would leave either. */
function diagnose(error: unknown): { reason: string; isFinal: boolean; isOurs: boolean } {
  const { code, command, responseCode } = Object(error)
  const isOfRecipient = command === 'RCPT TO'
  return {
    // The server's own words repeat the address.
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
