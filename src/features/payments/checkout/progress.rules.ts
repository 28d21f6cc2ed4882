import { openingMs, pageLastsMs } from '#features/payments/card/card.rules.ts'
import { operatorNames, unbroken } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { moneyText } from '#shared/money.ts'

/** After this time, the page says that the payer need not wait. */
const lateAfterMs = 3 * 60_000

/** Stage of a payment, with the text for its payer: what happened, and what happens next. */
export type Progress = {
  /** `page`: the payer pays on the card page, which can be opened again. */
  stage: 'paid' | 'failed' | 'late' | 'asked' | 'page' | 'sending'
  title: string
  text: string
}

/** Returns whether a payment is by card. */
export const isByCard = ({ deposit }: Pick<Payment, 'deposit'>): boolean => deposit?.operator === null

/**
 * Returns the progress of a payment.
 * @param ageMs age of the payment
 */
export function progressOf(payment: Payment, ageMs: number): Progress {
  const { status, deposit, amount, currency } = payment
  const by = payerOf(payment)
  const sum = moneyText(amount, currency)
  const said = deposit?.failure?.message
  switch (status) {
    case 'PAID':
      return {
        stage: 'paid',
        title: 'Paiement confirmé',
        text: `${sum} reçus par ${by.means}. Votre abonnement est actif.`,
      }
    case 'REFUNDED':
      return {
        stage: 'failed',
        title: 'Paiement remboursé',
        text: `${sum} vous ont été rendus. L’abonnement que ce paiement avait ouvert est annulé.`,
      }
    case 'FAILED':
      return {
        stage: 'failed',
        title: 'Le paiement n’a pas abouti',
        text: said ?? 'Réessayez, ou essayez un autre numéro.',
      }
    case 'PENDING': {
      const isForTeam = deposit?.state === 'review' || deposit?.state === 'unverified'
      const longestMs = !isByCard(payment) ? lateAfterMs : deposit?.pageUrl ? pageLastsMs : openingMs
      if (!isForTeam && ageMs <= longestMs) return waiting(payment, by.name, sum)
      const silence =
        deposit?.state === 'unverified'
          ? `${by.name} n’a rien répondu depuis un jour. Notre équipe le vérifie et vous répond par e-mail`
          : `${by.name} n’a pas encore répondu. Vous pouvez fermer cette page`
      const text =
        said ?? `${silence}\u00a0: si le paiement de ${sum} aboutit, votre abonnement s’ouvre de lui-même.`
      return { stage: 'late', title: 'Toujours en attente', text }
    }
  }
}

function payerOf(payment: Payment): { name: string; means: string } {
  const operator = payment.deposit?.operator
  if (isByCard(payment)) return { name: 'Le service de paiement', means: 'carte bancaire' }
  const name = operator ? unbroken(operatorNames[operator]) : 'L’opérateur'
  return { name, means: name }
}

function waiting(payment: Payment, operator: string, sum: string): Progress {
  const { deposit } = payment
  if (isByCard(payment)) {
    return deposit?.pageUrl
      ? {
          stage: 'page',
          title: 'Payez sur la page sécurisée',
          text: `Votre carte est demandée par FlexPay, jamais par Ntalo\u00a0: ${sum}. Au retour, nous vérifions auprès de FlexPay.`,
        }
      : {
          stage: 'sending',
          title: 'Ouverture de la page de paiement…',
          text: 'Vous y serez conduit dans quelques secondes.',
        }
  }
  if (deposit?.state === 'pending') {
    return {
      stage: 'asked',
      title: deposit.phone ? 'Validez sur votre téléphone' : 'Paiement par votre lien',
      text: deposit.phone
        ? `${operator} demande votre code PIN au +${deposit.phone} pour ${sum}.`
        : `${operator} demande son code PIN à la personne qui paie pour vous\u00a0: ${sum}.`,
    }
  }
  return {
    stage: 'sending',
    title: `Envoi de la demande à ${operator}…`,
    text:
      deposit && !deposit.phone
        ? 'Une autre personne paie pour vous.'
        : 'Gardez votre téléphone à portée de main.',
  }
}
