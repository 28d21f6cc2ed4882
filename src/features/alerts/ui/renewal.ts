import { useState } from 'react'
import { renewalProposal } from '#features/subscriptions/changes/changes.rules.ts'
import { ownAccess } from '#features/subscriptions/subscriptions.contract.ts'
import { formatCount } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'

const seenKey = 'ntalo.renewal-seen'

export type Renewal = { sentence: string; planId: number | null; isSeen: boolean; see: () => void }

/**
 * Returns the renewal that the bell proposes, on the same days as the mails; null for none. Once seen, it stays hidden
 * until the next step.
 */
export function useRenewal(): Renewal | null {
  // For a user who needs no subscription, this is not requested again after each write: a phone on 2G writes many
  // prices.
  const [isExempt, setExempt] = useState(false)
  const { data } = useAnswer(ownAccess, {}, { enabled: !isExempt })
  if (data?.isExempt && !isExempt) setExempt(true)
  const [seen, setSeen] = useState(() => localStorage.getItem(seenKey))
  if (!data || data.isExempt || data.membership?.isComprised) return null
  const last = data.upcoming.at(-1) ?? data.subscription
  const proposal = renewalProposal(last, new Date())
  if (!proposal) return null
  const { key, days, isOver, planId } = proposal
  const what = last?.plan ? `Votre abonnement «\u202f${last.plan}\u202f»` : 'Votre essai gratuit'
  const when = isOver
    ? 'est terminé.'
    : days === 0
      ? 'se termine aujourd’hui.'
      : `se termine dans ${formatCount(days, 'jour', 'jours')}.`
  return {
    sentence: `${what} ${when}`,
    planId,
    isSeen: seen === key,
    see() {
      localStorage.setItem(seenKey, key)
      setSeen(key)
    },
  }
}
