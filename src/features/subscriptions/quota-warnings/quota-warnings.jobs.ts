import { listCallers, noteWarning } from '#features/subscriptions/quota-warnings/quota-warnings.sql.ts'
import { callLimits } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { queueMail } from '#server/mail/mail.ts'

const oftenMs = 60_000
const steps = [100, 80] as const

type Dependencies = { db: Db; clock: () => Date; publicUrl: string }

/** Warns owners of API keys by mail at 80 % and at 100 % of their calls, each once a month. */
export function quotaWarningTask(dependencies: Dependencies): Task {
  return { name: 'warn of quotas', everyMs: oftenMs, run: () => warnCallers(dependencies) }
}

export async function warnCallers({ db, clock, publicUrl }: Dependencies): Promise<void> {
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const after: number = afterId
    afterId = await inTransaction(db, async (tx) => {
      const callers = await listCallers(tx, clock(), after)
      for (const { userId, name, email, calls, month, isExempt, access, warned } of callers) {
        const limit = callLimits(access, clock(), isExempt).month
        const percent = steps.find((step) => 100 * calls >= step * limit)
        if (limit === 0 || percent === undefined || percent <= warned) continue
        if (!(await noteWarning(tx, { userId, month, percent }))) continue
        await queueMail(tx, { to: email, content: contentOf({ name, calls, limit, percent, publicUrl }) })
      }
      return callers.at(-1)?.userId
    })
  }
}

const numbers = new Intl.NumberFormat('fr-FR')

function contentOf(given: {
  name: string
  calls: number
  limit: number
  percent: number
  publicUrl: string
}) {
  const { name, calls, limit, percent, publicUrl } = given
  const isSpent = percent === 100
  return {
    subject: isSpent
      ? 'Les appels du mois de vos clés sont épuisés'
      : 'Vos clés ont fait 80\u00a0% de leurs appels du mois',
    paragraphs: [
      `Bonjour ${name},`,
      `Vos clés ont fait ${numbers.format(calls)} des ${numbers.format(limit)}\u00a0appels que votre formule comprend ce mois-ci.`,
      isSpent
        ? 'Elles reçoivent maintenant la réponse 429, jusqu’au premier du mois prochain, ou jusqu’à ce qu’une formule plus large soit prise.'
        : 'Une fois ces appels épuisés, elles recevront la réponse 429 jusqu’au premier du mois prochain.',
    ],
    action: { label: 'Voir l’utilisation', url: `${publicUrl}/developpeurs/cles` },
  }
}
