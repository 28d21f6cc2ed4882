import { type AlertChannel, alertChannels } from '#features/alerts/alerts.rules.ts'
import { insertUnsubscribeLink } from '#features/alerts/alerts.sql.ts'
import { chartOf } from '#features/alerts/sending/chart.rules.ts'
import {
  dropUnwanted,
  lockRecipients,
  markSent,
  type Recipient,
  readRungSeries,
} from '#features/alerts/sending/sending.sql.ts'
import { type Channel, quietUntil } from '#features/channels/channels.rules.ts'
import { queueAlert } from '#features/channels/sending/sending.jobs.ts'
import { countOfMonth } from '#features/channels/sending/sending.sql.ts'
import { smsText } from '#features/channels/sms/sms.rules.ts'
import { mayReadPrices, smsLimit } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { queueMail } from '#server/mail/mail.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'

export type SendingDependencies = {
  db: Db
  clock: () => Date
  publicUrl: string
  /** Channels with a configured provider. */
  served: readonly Channel[]
}

/** Sends waiting alerts: to each recipient at most one message an hour by each channel, with all alerts since the last. */
export async function sendAlerts(dependencies: SendingDependencies): Promise<void> {
  const failures: unknown[] = []
  for (const channel of alertChannels) {
    // Quiet hours apply to messages that make a phone ring, not to mail.
    if (channel !== 'mail' && quietUntil(dependencies.clock())) continue
    try {
      for (let sent = 1; sent > 0; ) sent = await sendSome(dependencies, channel)
    } catch (error) {
      // A channel that fails does not stop the others.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function sendSome(
  { db, clock, publicUrl, served }: SendingDependencies,
  channel: AlertChannel,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const at = clock()
    const isServed = channel === 'mail' || served.includes(channel)
    await dropUnwanted(tx, channel, at)
    const recipients = await lockRecipients(tx, channel, at)
    for (const recipient of recipients) {
      // Rights are checked at the time of sending.
      const isSent =
        isServed &&
        recipient.isReachable &&
        mayReadPrices(recipient, at) &&
        (await hasCredit(tx, recipient, channel, at))
      if (isSent) await send[channel](tx, recipient, { publicUrl, at })
      await markSent(tx, recipient.ids, channel, isSent ? at : null)
    }
    return recipients.length
  })
}

async function hasCredit(tx: Db, recipient: Recipient, channel: AlertChannel, at: Date): Promise<boolean> {
  if (channel !== 'sms') return true
  const limit = smsLimit(recipient.access, at, recipient.permissions.includes('access.exempt'))
  return (await countOfMonth(tx, recipient.userId, 'sms', at)) < limit
}

type Send = (tx: Db, recipient: Recipient, message: { publicUrl: string; at: Date }) => Promise<void>

const send: Record<AlertChannel, Send> = {
  async mail(tx, { userId, name, email, sentences, ids }, { publicUrl, at }) {
    const today = dayInKinshasa(at)
    const token = newToken()
    await insertUnsubscribeLink(tx, { hash: hashToken(token), userId, kind: 'price-alerts' })
    const [first = ''] = sentences
    await queueMail(tx, {
      to: email,
      content: {
        subject: sentences.length === 1 ? first.slice(0, 190) : titleOf(sentences.length),
        paragraphs: [`Bonjour ${name},`, ...sentences],
        charts: (await readRungSeries(tx, ids.slice(0, mostCharts), addDays(today, -daysDrawn))).flatMap(
          (series) => chartOf(series) ?? [],
        ),
        action: { label: 'Voir mes alertes', url: `${publicUrl}/alertes` },
        notes: ['Au plus un e-mail par heure\u00a0: ce qui sonne entre-temps attend le suivant.'],
        unsubscribeUrl: `${publicUrl}/desabonnement/${token}`,
      },
    })
  },

  async telegram(tx, recipient, { publicUrl, at }) {
    const end = `${pageOf(recipient, publicUrl)}\n/stop pour ne plus rien recevoir ici.`
    const content = `${textOf(recipient, 3_500)}\n${end}`
    await queueAlert(tx, { userId: recipient.userId, channel: 'telegram', content, at })
  },

  async sms(tx, recipient, { publicUrl, at }) {
    const { userId } = recipient
    const token = newToken().slice(0, shortTokenLength)
    await insertUnsubscribeLink(tx, { hash: hashToken(token), userId, kind: 'sms' })
    const links = { see: pageOf(recipient, publicUrl), stop: `${publicUrl}/s/${token}` }
    await queueAlert(tx, { userId, channel: 'sms', content: smsText(recipient.shorts, links), at })
  },

  async whatsapp(tx, recipient, { publicUrl, at }) {
    const content = `${textOf(recipient, 700)}\n${pageOf(recipient, publicUrl)}`
    await queueAlert(tx, { userId: recipient.userId, channel: 'whatsapp', content, at })
  },
}

/** Number of alerts of a mail with a chart, and the days that it covers. */
const mostCharts = 3
const daysDrawn = 365

/** Length of the token of the link that stops SMS: 64 bits in as few characters as possible. */
const shortTokenLength = 11

const titleOf = (count: number) => `${count}\u00a0alertes de prix`

/** Returns the sentences that fit, and the number of the others. */
function textOf({ sentences }: Recipient, longest: number): string {
  const lines = sentences.length > 1 ? [`${titleOf(sentences.length)}\u00a0:`] : []
  let left = longest
  for (const [at, sentence] of sentences.entries()) {
    left -= sentence.length + 1
    if (left < 0 && at > 0) return [...lines, `Et ${sentences.length - at} de plus.`].join('\n')
    lines.push(sentence)
  }
  return lines.join('\n')
}

/** Returns the address of the series when only one alert rang, otherwise of the list of alerts. */
function pageOf({ sentences, series }: Recipient, publicUrl: string): string {
  return sentences.length === 1 ? `${publicUrl}/series/${series}` : `${publicUrl}/alertes`
}
