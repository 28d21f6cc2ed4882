import { type AlertChannel, alertChannels } from '#features/alerts/alerts.rules.ts'
import { insertUnsubscribeLink } from '#features/alerts/alerts.sql.ts'
import { chartOf } from '#features/alerts/sending/chart.rules.ts'
import {
  dropUnwanted,
  markSent,
  type Reader,
  readRungSeries,
  takeReaders,
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

export type SendingWorld = {
  db: Db
  clock: () => Date
  publicUrl: string
  /** Channels with a configured provider. */
  served: readonly Channel[]
}

/** Sends waiting alerts: to each reader at most one message an hour by each channel, with all alerts since the last. */
export async function sendAlerts(world: SendingWorld): Promise<void> {
  const failures: unknown[] = []
  for (const channel of alertChannels) {
    // Quiet hours apply to messages that make a phone ring, not to mail.
    if (channel !== 'mail' && quietUntil(world.clock())) continue
    try {
      for (let sent = 1; sent > 0; ) sent = await sendSome(world, channel)
    } catch (error) {
      // A channel that fails does not stop the others.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function sendSome(
  { db, clock, publicUrl, served }: SendingWorld,
  channel: AlertChannel,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const at = clock()
    const isServed = channel === 'mail' || served.includes(channel)
    await dropUnwanted(tx, channel, at)
    const readers = await takeReaders(tx, channel, at)
    for (const reader of readers) {
      // Rights are checked at the time of sending.
      const isSent =
        isServed &&
        reader.isReachable &&
        mayReadPrices(reader, at) &&
        (await hasCredit(tx, reader, channel, at))
      if (isSent) await send[channel](tx, reader, { publicUrl, at })
      await markSent(tx, reader.ids, channel, isSent ? at : null)
    }
    return readers.length
  })
}

async function hasCredit(tx: Db, reader: Reader, channel: AlertChannel, at: Date): Promise<boolean> {
  if (channel !== 'sms') return true
  const limit = smsLimit(reader.access, at, reader.permissions.includes('access.exempt'))
  return (await countOfMonth(tx, reader.userId, 'sms', at)) < limit
}

type Send = (tx: Db, reader: Reader, world: { publicUrl: string; at: Date }) => Promise<void>

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

  async telegram(tx, reader, { publicUrl, at }) {
    const end = `${pageOf(reader, publicUrl)}\n/stop pour ne plus rien recevoir ici.`
    const content = `${textOf(reader, 3_500)}\n${end}`
    await queueAlert(tx, { userId: reader.userId, channel: 'telegram', content, at })
  },

  async sms(tx, reader, { publicUrl, at }) {
    const { userId } = reader
    const token = newToken().slice(0, shortTokenLength)
    await insertUnsubscribeLink(tx, { hash: hashToken(token), userId, kind: 'sms' })
    const links = { see: pageOf(reader, publicUrl), stop: `${publicUrl}/s/${token}` }
    await queueAlert(tx, { userId, channel: 'sms', content: smsText(reader.shorts, links), at })
  },

  async whatsapp(tx, reader, { publicUrl, at }) {
    const content = `${textOf(reader, 700)}\n${pageOf(reader, publicUrl)}`
    await queueAlert(tx, { userId: reader.userId, channel: 'whatsapp', content, at })
  },
}

/** Number of alerts of a mail with a chart, and the days that it covers. */
const mostCharts = 3
const daysDrawn = 365

/** Length of the token of the link that stops SMS: 64 bits in as few characters as possible. */
const shortTokenLength = 11

const titleOf = (count: number) => `${count}\u00a0alertes de prix`

/** Returns the sentences that fit, and the number of the others. */
function textOf({ sentences }: Reader, longest: number): string {
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
function pageOf({ sentences, series }: Reader, publicUrl: string): string {
  return sentences.length === 1 ? `${publicUrl}/series/${series}` : `${publicUrl}/alertes`
}
