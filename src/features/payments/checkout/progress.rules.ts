import { operatorNames, unbroken } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { moneyText } from '#shared/money.ts'

/** After this, the page says that the payer need not wait. */
const patienceMs = 3 * 60_000

/** Where a payment stands, and what its payer reads of it: what happened, and what happens next. */
export type Progress = {
  stage: 'paid' | 'failed' | 'late' | 'asked' | 'sending'
  title: string
  text: string
}

/** @param ageMs how long ago it was begun */
export function progressOf({ status, deposit, amount, currency }: Payment, ageMs: number): Progress {
  const operator = deposit ? unbroken(operatorNames[deposit.operator]) : 'L’opérateur'
  const sum = moneyText(amount, currency)
  const said = deposit?.failure?.message
  switch (status) {
    case 'PAID':
      return {
        stage: 'paid',
        title: 'Paiement confirmé',
        text: `${sum} reçus par ${operator}. Votre abonnement est actif.`,
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
    case 'PENDING':
      if (deposit?.state === 'review' || deposit?.state === 'unverified' || ageMs > patienceMs) {
        const silence =
          deposit?.state === 'unverified'
            ? `${operator} n’a rien répondu depuis un jour. Notre équipe le vérifie et vous répond par e-mail`
            : `${operator} n’a pas encore répondu. Vous pouvez fermer cette page`
        return {
          stage: 'late',
          title: 'Toujours en attente',
          text:
            said ??
            `${silence}\u00a0: si le paiement de ${sum} aboutit, votre abonnement s’ouvre de lui-même.`,
        }
      }
      return deposit?.state === 'pending'
        ? {
            stage: 'asked',
            title: deposit.phone ? 'Validez sur votre téléphone' : 'Paiement par votre lien',
            text: deposit.phone
              ? `${operator} demande votre code PIN au +${deposit.phone} pour ${sum}.`
              : `${operator} demande son code PIN à la personne qui paie pour vous\u00a0: ${sum}.`,
          }
        : {
            stage: 'sending',
            title: `Envoi de la demande à ${operator}…`,
            text:
              deposit && !deposit.phone
                ? 'Une autre personne paie pour vous.'
                : 'Gardez votre téléphone à portée de main.',
          }
  }
}
