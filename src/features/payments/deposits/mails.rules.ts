import type { Decision } from '#features/payments/deposits/deposits.rules.ts'
import type { MailContent } from '#shared/mail.ts'
import { moneyText } from '#shared/money.ts'

type PaymentFacts = {
  paymentId: number
  name: string
  email: string
  amount: string
  currency: string
  isByCard: boolean
}

const silence = 'Depuis un jour, l’opérateur n’a pas dit ce qu’il est devenu.'
/** Why a payment waits for the team, by failure code. */
export const lookReasons: Record<string, string> = {
  AMOUNT_MISMATCH: 'L’opérateur annonce un autre montant que le sien.',
  REFERENCE_MISMATCH: 'L’opérateur répond à propos d’une autre commande que la sienne.',
  CONTRADICTION: 'L’opérateur l’a dit échoué, puis payé.',
  ACCOUNT_CLOSED: 'Son compte a été fermé entre-temps\u00a0: remboursez-le.',
  PAID_TWICE:
    'Son plan était déjà payé par un autre paiement, ouvert en même temps\u00a0: remboursez celui-ci.',
  CREDIT_GONE: 'Les jours crédités ont déjà servi à un autre paiement\u00a0: remboursez-le.',
  REFUSED:
    'Le service de paiement refuse nos demandes\u00a0: vérifiez son adresse et son jeton. Personne n’a été débité.',
}

/** Returns the mail to the team about a payment to review; a reply goes to the payer. */
export function lookMail(
  { paymentId, name, email, amount, currency, isByCard }: PaymentFacts,
  { state, failureCode }: Decision,
): MailContent {
  const reason = state === 'unverified' ? silence : (lookReasons[failureCode ?? ''] ?? '')
  return {
    subject: `Paiement ${paymentId} à vérifier`,
    paragraphs: [
      `Le paiement ${paymentId} de ${name} (${email}), ${moneyText(amount, currency)} par ${isByCard ? 'carte bancaire' : 'mobile money'}, attend quelqu’un de l’équipe.`,
      `${reason} Il se trouve dans Ntalo, à la page Paiements.`.trim(),
    ],
    notes: ['Répondre à ce message écrit à l’abonné, à qui une réponse a été promise.'],
  }
}
