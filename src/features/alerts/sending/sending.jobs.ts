import { insertUnsubscribeLink } from '#features/alerts/alerts.sql.ts'
import { markMailed, type Reader, takeReaders } from '#features/alerts/sending/sending.sql.ts'
import { mayReadPrices } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { queueMail } from '#server/mail/mail.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'

type World = { db: Db; clock: () => Date; publicUrl: string }

/** Mails what has rung: at most one mail an hour to each, with all that has rung since. */
export async function mailAlerts({ db, clock, publicUrl }: World): Promise<void> {
  for (let mailed = 1; mailed > 0; ) {
    mailed = await inTransaction(db, async (tx) => {
      const readers = await takeReaders(tx, clock())
      for (const reader of readers) {
        // Rights as they are when the mail leaves.
        const isMailed = reader.isReachable && mayReadPrices(reader, clock())
        if (isMailed) await mailTo(tx, reader, publicUrl)
        await markMailed(tx, reader.ids, isMailed ? 'sent' : 'none', clock())
      }
      return readers.length
    })
  }
}

async function mailTo(tx: Db, { userId, name, email, sentences }: Reader, publicUrl: string): Promise<void> {
  const token = newToken()
  await insertUnsubscribeLink(tx, { hash: hashToken(token), userId, kind: 'price-alerts' })
  const [first = ''] = sentences
  await queueMail(tx, {
    to: email,
    content: {
      subject: sentences.length === 1 ? first.slice(0, 190) : `${sentences.length}\u00a0alertes de prix`,
      paragraphs: [`Bonjour ${name},`, ...sentences],
      action: { label: 'Voir mes alertes', url: `${publicUrl}/alertes` },
      notes: ['Au plus un e-mail par heure\u00a0: ce qui sonne entre-temps attend le suivant.'],
      unsubscribeUrl: `${publicUrl}/desabonnement/${token}`,
    },
  })
}
