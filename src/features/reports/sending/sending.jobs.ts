import { receptionUrl } from '#features/reports/sending/recipients.routes.ts'
import {
  beginDelivery,
  type Delivery,
  endDelivery,
  endSentIssues,
  giveUpBegun,
} from '#features/reports/sending/sending.sql.ts'
import { mayReadPrices } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { longestSendMs, patienceS, sendAtMostOnce } from '#server/mail/mail.ts'
import { type MailTransportOptions, openMailTransport } from '#server/mail/transport.ts'
import type { Views } from '#server/views.ts'
import { hourMs } from '#shared/days.ts'

export type Mailing = {
  db: Db
  clock: () => Date
  publicUrl: string
  transport: MailTransportOptions
  views: Pick<Views, 'renderMail'>
}

/** Longest time between two attempts. */
const longestWaitMs = 4 * hourMs

/** Sends due mails, each at most once; rights and consent are checked at the time of sending. */
export async function sendReports(
  { db, clock, publicUrl, transport: options, views }: Mailing,
  signal: AbortSignal,
): Promise<void> {
  await giveUpBegun(db, new Date(clock().getTime() - 2 * longestSendMs))
  const transport = openMailTransport(options)
  try {
    while (!signal.aborted) {
      const delivery = await beginDelivery(db, clock())
      if (!delivery) break
      if (!delivery.isWanted || !delivery.isActive || !mayReadPrices(delivery, clock())) {
        await endDelivery(db, delivery.id, { state: 'none' })
        continue
      }
      const envelope = {
        key: `report-delivery-${delivery.id}`,
        to: delivery.email,
        replyTo: null,
      }
      const outcome = await sendAtMostOnce(
        { ...envelope, content: contentOf(delivery, publicUrl) },
        { transport, views },
        signal,
      )
      if (outcome !== 'later') await endDelivery(db, delivery.id, { state: outcome })
      else if (delivery.ageS > patienceS) await endDelivery(db, delivery.id, { state: 'expired' })
      else {
        const waitMs = Math.min(longestWaitMs, 60_000 * 2 ** (delivery.attempts - 1))
        await endDelivery(db, delivery.id, { state: 'waiting', sendAt: new Date(clock().getTime() + waitMs) })
      }
    }
  } finally {
    transport.close()
  }
  await endSentIssues(db)
}

/** Returns the first figures as sentences, and the address of the issue. */
function contentOf({ title, owner, recipientToken, issueToken, content }: Delivery, publicUrl: string) {
  const figures = content.sections
    .filter(({ drawn }) => drawn === 'figures')
    .slice(0, 2)
    .map((section) => [
      section.title,
      ...section.rows.flatMap(({ name, text }) => (text ? [`${name}\u00a0: ${text}`] : [])),
    ])
  const [firstText] = content.sections.filter(
    ({ drawn, rowsBehind }) => drawn === 'text' && rowsBehind === null,
  )
  const file = (format: string) => `${publicUrl}/api/reports/issues/${issueToken}/file?fileFormat=${format}`
  return {
    subject: `${title}, ${(content.lines[0] ?? '').replace(/^Établi/, 'établi')}`.slice(0, 190),
    paragraphs: [
      ...figures.map((lines) => lines.join('\n')),
      ...(firstText ? [firstText.definition] : []),
      `PDF\u00a0: ${file('pdf')}`,
      `XLSX\u00a0: ${file('xlsx')}`,
    ],
    action: { label: 'Lire le bulletin', url: `${publicUrl}/bulletins/${issueToken}` },
    notes: [
      recipientToken === null
        ? 'Vous recevez ce bulletin parce que vous l’avez demandé.'
        : `Vous recevez ce bulletin de ${owner} parce que vous l’avez confirmé.`,
    ],
    ...(recipientToken !== null && { unsubscribeUrl: receptionUrl(publicUrl, recipientToken) }),
  }
}
