// Mobile money, independent of the provider.

export const operators = ['MPESA', 'AIRTEL', 'ORANGE'] as const
export type Operator = (typeof operators)[number]

export const operatorNames: Record<Operator, string> = {
  MPESA: 'M-Pesa',
  AIRTEL: 'Airtel Money',
  ORANGE: 'Orange Money',
}

/** Replaces the hyphen of an operator's name by a non-breaking one, for narrow screens. */
export function unbroken(text: string): string {
  return text.replaceAll(operatorNames.MPESA, operatorNames.MPESA.replace('-', '\u2011'))
}

/** An operator's conditions for a currency. Amounts are decimal texts, in the provider's format. */
export type PayingMethod = {
  operator: Operator
  currency: 'CDF' | 'USD'
  minAmount: string
  maxAmount: string
  /** Maximum number of decimals of an amount. */
  decimals: 0 | 2
  isOpen: boolean
}

/** A collection requested from the provider. */
export type Order = {
  depositId: string
  /** A decimal text without needless zeros. */
  amount: string
  currency: 'CDF' | 'USD'
  /** Digits, with the country code. */
  phone: string
  operator: Operator
  reference: string
}

/** Name of a provider, as stored with a deposit. */
export type ProviderName = 'pawapay' | 'flexpay' | 'flexpay-card'

/** Result of a request for a deposit; `unknown`: it may have been accepted. */
export type Initiated =
  /** `reference`: the provider's own id, if any; `pageUrl`: the card page. */
  | { kind: 'accepted'; reference?: string; pageUrl?: string }
  /** It will never be collected. */
  | { kind: 'rejected'; code: string }
  /** No connection was made: it was certainly not requested. */
  | { kind: 'unsent'; reason: string }
  | { kind: 'unknown'; reason: string }

/** Refusals caused by the provider, not the payer: another provider may accept. */
const unavailable = new Set([
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
  'DEPOSITS_NOT_ALLOWED',
  'INVALID_PROVIDER',
  'AMOUNT_OUT_OF_BOUNDS',
])

/** Returns whether another provider may be asked: this one certainly took nothing, and is unavailable. */
export function mayAskAnother(said: Initiated): boolean {
  return said.kind === 'unsent' || (said.kind === 'rejected' && unavailable.has(said.code))
}

/**
 * Merges the methods of several providers: for each operator and currency, that of the first provider that accepts it
 * now, otherwise of the first.
 */
export function mergedMethods(lists: readonly PayingMethod[][]): PayingMethod[] {
  const merged = new Map<string, PayingMethod>()
  for (const method of lists.flat()) {
    const key = `${method.operator} ${method.currency}`
    const before = merged.get(key)
    if (!before || (!before.isOpen && method.isOpen)) merged.set(key, method)
  }
  return [...merged.values()]
}

/** A provider's report of a deposit. */
export type News = (
  | { kind: 'completed'; amount: string; currency: string; reference: string | null }
  | { kind: 'failed'; code: string }
  | { kind: 'open'; reference?: string }
  | { kind: 'not found' }
  /** The report for our deposit's id is about another order. */
  | { kind: 'mismatch' }
  | { kind: 'unknown'; reason: string }
) & {
  /** Our own reference in the report, if any. */
  order?: string
}

/** A callback: `proved` by its signature, or a `hint` that only triggers a status check, by its `reference` if any. */
export type Callback =
  | { kind: 'proved'; depositId: string; news: News }
  | { kind: 'hint'; depositId: string; reference?: string | undefined }
  | { kind: 'forged' }
  | { kind: 'unreadable' }

export type CallbackRequest = { url: string; headers: Record<string, string | string[]>; body: Uint8Array }

export type StatusQuestion = {
  reference: string | null
  ageMs: number
  /** For a card: whether the payer could open the page, and how they declared having left it. */
  page?: { isKnown: boolean; leftAs: 'cancelled' | 'declined' | null }
}

/** The port to a provider. Its methods never throw because of a provider's response. */
export type Provider<Asked> = {
  name: ProviderName
  /** Path of its callbacks. */
  callbackPath: string
  initiate(order: Asked): Promise<Initiated>
  /**
   * @param asked.reference the provider's id of the deposit, if known
   * @param asked.ageMs age of the deposit
   */
  getStatus(depositId: string, asked: StatusQuestion): Promise<News>
  parseCallback(request: CallbackRequest): Promise<Callback>
}

export type MobileMoney = Provider<Order> & {
  /** @throws when the provider does not respond and no earlier response is cached */
  listMethods(): Promise<PayingMethod[]>
}

// Digits after +243, by the national numbering plan.
const prefixes: Record<string, Operator | 'AFRICELL'> = {
  81: 'MPESA',
  82: 'MPESA',
  83: 'MPESA',
  97: 'AIRTEL',
  98: 'AIRTEL',
  99: 'AIRTEL',
  80: 'ORANGE',
  84: 'ORANGE',
  85: 'ORANGE',
  89: 'ORANGE',
  90: 'AFRICELL',
  91: 'AFRICELL',
}

/** Returns the operator of a number by its prefix; ported numbers keep the prefix of their former operator. */
export function guessOperator(phone: string): Operator | 'AFRICELL' | undefined {
  return prefixes[phone.slice(3, 5)]
}

/** Returns which limit of the operator an amount breaks; undefined for none. */
export function brokenLimit(
  amount: number,
  method: Pick<PayingMethod, 'minAmount' | 'maxAmount' | 'decimals'>,
): 'too small' | 'too large' | 'decimals' | undefined {
  if (amount < Number(method.minAmount)) return 'too small'
  if (amount > Number(method.maxAmount)) return 'too large'
  return method.decimals === 0 && !Number.isInteger(amount) ? 'decimals' : undefined
}

/** Why a payment failed, and what to do, by the provider's code or one of ours. */
export const failureWords: Record<string, string> = {
  PAYER_NOT_FOUND:
    'Ce numéro n’a pas de compte chez cet opérateur. Vérifiez le numéro, ou choisissez un autre opérateur.',
  PAYMENT_NOT_APPROVED:
    'Le paiement n’a pas été validé sur le téléphone. Réessayez et saisissez votre code PIN.',
  PAYER_LIMIT_REACHED:
    'La limite de votre compte mobile money est atteinte. Réessayez demain, ou avec un autre numéro.',
  INSUFFICIENT_BALANCE: 'Le solde du compte ne suffit pas. Rechargez-le, puis réessayez.',
  PAYMENT_IN_PROGRESS:
    'Un autre paiement est déjà en cours sur ce numéro. Terminez-le, ou attendez quelques minutes avant de réessayer.',
  WALLET_LIMIT_REACHED: 'La limite du compte mobile money est atteinte. Réessayez avec un autre numéro.',
  MANUALLY_CANCELLED: 'Le paiement a été annulé. Vous n’avez pas été débité.',
  AMOUNT_OUT_OF_BOUNDS: 'L’opérateur n’accepte pas ce montant. Choisissez un autre opérateur.',
  INVALID_AMOUNT: 'L’opérateur n’accepte pas ce montant. Choisissez un autre opérateur.',
  INVALID_PHONE_NUMBER: 'L’opérateur ne reconnaît pas ce numéro. Vérifiez-le, puis réessayez.',
  INVALID_CURRENCY: 'L’opérateur n’accepte pas cette devise. Choisissez un autre opérateur.',
  INVALID_PROVIDER: 'Cet opérateur ne prend pas les paiements en ce moment. Choisissez-en un autre.',
  DEPOSITS_NOT_ALLOWED: 'Cet opérateur ne prend pas les paiements en ce moment. Choisissez-en un autre.',
  PROVIDER_TEMPORARILY_UNAVAILABLE:
    'L’opérateur est indisponible pour le moment. Réessayez dans quelques minutes, ou avec un autre opérateur.',
  NOT_SENT:
    'La demande n’a pas pu être transmise à l’opérateur. Vous n’avez pas été débité\u00a0: réessayez.',
  REFUSED:
    'Le service de paiement a refusé la demande. Vous n’avez pas été débité\u202f; notre équipe est prévenue.',
  AMOUNT_MISMATCH:
    'L’opérateur annonce un autre montant que le vôtre. Notre équipe vérifie votre paiement et vous répond par e-mail.',
  REFERENCE_MISMATCH:
    'L’opérateur répond à propos d’un autre paiement. Notre équipe vérifie le vôtre et vous répond par e-mail.',
  CONTRADICTION:
    'L’opérateur annonce deux issues pour ce paiement. Notre équipe le vérifie et vous répond par e-mail.',
  ACCOUNT_CLOSED: 'Le compte a été fermé avant ce paiement\u00a0: notre équipe le rembourse.',
  CREDIT_GONE:
    'Les jours crédités ont déjà servi à un autre paiement\u00a0: notre équipe vous rembourse celui-ci.',
  CARD_UNOPENED:
    'La page de paiement ne s’est pas ouverte. Vous n’avez pas été débité\u00a0: réessayez, ou payez par mobile money.',
  CARD_CANCELLED: 'Vous avez quitté la page de paiement sans payer. Vous n’avez pas été débité.',
  CARD_DECLINED: 'Votre banque a refusé la carte. Essayez une autre carte, ou payez par mobile money.',
  CARD_EXPIRED:
    'La page de paiement est restée sans réponse. Réessayez\u202f; si votre carte est débitée malgré tout, votre abonnement s’ouvre de lui-même.',
  PAID_TWICE: 'Ce plan était déjà payé par un autre paiement\u00a0: notre équipe vous rembourse celui-ci.',
  DECIDED:
    'Notre équipe a vérifié ce paiement\u00a0: il n’a pas abouti. Réessayez, ou écrivez-nous par la page Contact.',
  UNSPECIFIED_FAILURE: 'L’opérateur n’a pas pu faire le paiement. Réessayez, ou essayez un autre numéro.',
}
