import { type DepositState, plainAmount } from '#features/payments/deposits/deposits.rules.ts'
import type { Transfer } from '#features/payments/transfers/transfers.contract.ts'
import type { StatementLine } from '#features/reconciliation/lines.rules.ts'
import {
  type Difference,
  type DifferenceAction,
  type DifferenceKind,
  mostDifferences,
} from '#features/reconciliation/reconciliation.contract.ts'
import type { Stray } from '#features/reconciliation/strays/strays.contract.ts'
import { groupBy } from '#shared/group-by.ts'
import { moneyText } from '#shared/money.ts'

const mostCandidates = 10

/** Label, reason and action of each kind of difference. */
export const differenceWords: Record<
  DifferenceKind,
  { label: string; why: string; action: DifferenceAction }
> = {
  silent: {
    label: 'Sans réponse',
    why: 'L’opérateur n’a pas encore dit si ce paiement est fait. Interrogez-le.',
    action: 'ask',
  },
  contradictory: {
    label: 'À décider',
    why: 'Ce que dit l’opérateur se contredit. Décidez après avoir vérifié chez lui.',
    action: 'decide',
  },
  'paid there': {
    label: 'Payé là-bas, pas ici',
    why: 'Le relevé le dit payé, et il ne l’est pas ici. L’opérateur interrogé le confirme, puis l’abonnement s’ouvre.',
    action: 'ask',
  },
  'failed there': {
    label: 'Échoué là-bas, en attente ici',
    why: 'Le relevé le dit échoué. L’opérateur interrogé le confirme, puis l’attente se termine.',
    action: 'ask',
  },
  'other amount': {
    label: 'Montants différents',
    why: 'Le relevé a un autre montant ou une autre devise que nous. Vérifiez lequel est juste, puis décidez.',
    action: 'decide',
  },
  'failed here': {
    label: 'Payé ici, pas là-bas',
    why: 'Il est payé ici, et le relevé ne dit pas que l’argent est arrivé. Vérifiez qui l’a enregistré.',
    action: 'examine',
  },
  'absent there': {
    label: 'Payé ici, absent du relevé',
    why: 'Il est payé ici dans la période du relevé, qui ne l’a pas. Vérifiez que le relevé est complet et du bon compte.',
    action: 'examine',
  },
  'unpaid here': {
    label: 'Payé là-bas sous une autre référence',
    why: 'Un paiement d’ici a ce numéro et ce montant, et n’est pas payé. Rattachez l’argent\u00a0: il devient payé et son abonnement s’ouvre.',
    action: 'adopt',
  },
  'unknown here': {
    label: 'Inconnu ici',
    why: 'L’argent est arrivé, et aucun paiement à régler n’a ce numéro et ce montant. Il n’est pas à nous\u00a0: notez-le à rembourser.',
    action: 'return',
  },
  'to refund': {
    label: 'À rembourser',
    why: 'Cet argent sans paiement d’ici est noté à rembourser. Rendez-le chez l’opérateur, puis notez-le.',
    action: 'returned',
  },
  'twice there': {
    label: 'Deux fois dans le relevé',
    why: 'Le relevé a deux lignes payées pour un seul paiement. Demandez à l’opérateur d’en rembourser une.',
    action: 'examine',
  },
  'to record': {
    label: 'Virement à enregistrer',
    why: 'La ligne porte la référence d’une facture pro forma qui attend cet argent. Enregistrez le virement.',
    action: 'record',
  },
  'paid already': {
    label: 'Virement en trop',
    why: 'La ligne porte une référence déjà payée en entier. Enregistrez-la\u00a0: elle devient un crédit du client.',
    action: 'record',
  },
  'without reference': {
    label: 'Sans référence',
    why: 'La ligne n’a pas de référence VIR que nous attendons. Cherchez le client, puis enregistrez le virement.',
    action: 'attach',
  },
  'absent at the bank': {
    label: 'Enregistré ici, absent à la banque',
    why: 'Le relevé de cette période ne l’a pas. Vérifiez sa référence et son montant.',
    action: 'examine',
  },
}

/** Returns a difference with its words; `about.why` overrides the general reason. */
export function differ(
  kind: DifferenceKind,
  about: Partial<Omit<Difference, 'kind' | 'action'>>,
): Difference {
  const { why, action } = differenceWords[kind]
  const nothing = { line: null, payment: null, transfer: null, candidates: [], stray: null }
  return { kind, why, action, ...nothing, ...about }
}

/** The data of one of our payments that the comparison needs. */
export type Ours = {
  depositId: string
  /** The provider's id. */
  reference: string | null
  state: DepositState
  failureCode: string | null
  payment: NonNullable<Difference['payment']>
  /** Key of the statement row whose money was attached to it; usually null. */
  attachedKey: string | null
}

export type Compared = { differences: Difference[]; matched: number; ignored: number }

/** Returns the first 24 hexadecimal digits, to which providers shorten our ids; null if it is not one of our ids. */
export function depositKey(id: string): string | null {
  const digits = id.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{24,32}$/.test(digits) ? digits.slice(0, 24) : null
}

/**
 * Compares a provider's statement with our payments.
 *
 * @param ours the payments that the statement names, and those paid in its period
 * @param strays decisions already taken about rows of the statement
 */
export function compareDeposits(
  lines: readonly StatementLine[],
  ours: readonly Ours[],
  strays: readonly Stray[] = [],
): Compared {
  const compared: Compared = { differences: [], matched: 0, ignored: 0 }
  const byKey = new Map(ours.map((each) => [depositKey(each.depositId), each]))
  const byReference = new Map(ours.map((each) => [each.reference, each]))
  const byAttached = new Map(ours.map((each) => [each.attachedKey, each]))
  const strayOf = new Map(strays.map((each) => [each.reference, each]))
  const seen = new Map<Ours, boolean>()
  for (const line of lines) {
    const key = depositKey(line.id)
    const found =
      (key && byKey.get(key)) ||
      (line.reference && byReference.get(line.reference)) ||
      (line.key && byAttached.get(line.key)) ||
      null
    const stray = strayOf.get(line.key) ?? null
    const kind = found ? kindOf(line, found, seen.get(found) ?? false) : unknownKind(line, stray)
    if (found) seen.set(found, seen.get(found) || line.outcome === 'paid')
    if (kind === 'matched' || kind === 'ignored') compared[kind] += 1
    else {
      const isSettled = found?.payment.status === 'PAID' || found?.payment.status === 'REFUNDED'
      compared.differences.push({
        ...differ(kind, { line: shown(line), payment: found?.payment ?? null, stray }),
        // The status of a settled payment is final, so the team must examine it.
        ...(kind === 'other amount' && isSettled && { action: 'examine' as const }),
      })
    }
  }
  for (const each of ours) {
    if (each.payment.status === 'PAID' && each.attachedKey === null && !seen.has(each))
      compared.differences.push(differ('absent there', { payment: each.payment }))
  }
  return compared
}

function unknownKind(
  { outcome }: StatementLine,
  stray: Stray | null,
): DifferenceKind | 'matched' | 'ignored' {
  if (outcome !== 'paid') return 'ignored'
  if (stray === null) return 'unknown here'
  return stray.state === 'to_refund' ? 'to refund' : 'matched'
}

/** Returns the unknown receipts to match with unpaid payments: those shown whose payer and currency are known. */
export function soughtFor({ differences }: Compared) {
  return differences
    .slice(0, mostDifferences)
    .flatMap(({ kind, line }) =>
      kind === 'unknown here' && line?.phone && line.currency
        ? [{ key: line.key, phone: line.phone, amount: line.amount, currency: line.currency, day: line.day }]
        : [],
    )
}

/**
 * Adds to each unknown receipt the payments that it may have paid, at most ten. The only candidate of a receipt is not
 * proposed for later receipts.
 */
export function withCandidates(
  { differences, ...rest }: Compared,
  found: readonly { key: string; payment: NonNullable<Difference['payment']> }[],
): Compared {
  const byKey = groupBy(found, ({ key }) => key)
  const taken = new Set<number>()
  return {
    ...rest,
    differences: differences.map((each) => {
      if (each.kind !== 'unknown here' || !each.line) return each
      if (!each.line.key) return { ...each, action: 'examine' as const }
      const candidates = (byKey.get(each.line.key) ?? [])
        .map(({ payment }) => payment)
        .filter(({ id }) => !taken.has(id))
        .slice(0, mostCandidates)
      if (candidates.length === 0) return each
      if (candidates.length === 1) for (const { id } of candidates) taken.add(id)
      return differ('unpaid here', { line: each.line, candidates })
    }),
  }
}

function kindOf(
  { outcome, amount, currency }: StatementLine,
  { payment, state, failureCode, attachedKey }: Ours,
  isPaidAbove: boolean,
): DifferenceKind | 'matched' | 'ignored' {
  const { status } = payment
  if (outcome !== 'paid') {
    if (status === 'PAID') return attachedKey === null ? 'failed here' : 'matched'
    if (status === 'PENDING' && outcome === 'failed') return 'failed there'
    return outcome === 'open' ? 'ignored' : 'matched'
  }
  if (isPaidAbove) return 'twice there'
  if (plainAmount(amount) !== plainAmount(String(payment.amount)) || currency !== payment.currency)
    return 'other amount'
  if (status === 'PAID' || status === 'REFUNDED') return 'matched'
  return state === 'review' || failureCode === 'DECIDED' ? 'contradictory' : 'paid there'
}

/** Returns the fields of a line that are shown. */
function shown({ id, reference, ...line }: StatementLine): Difference['line'] {
  const { number, day, amount, currency, key, phone, label } = line
  return { number, day, amount, currency, reference: reference || id, key, phone, label }
}

/** A transfer recorded by the team. */
export type Recorded = { bankReference: string; amount: number; isInPeriod: boolean; transfer: Transfer }

// Banks write « VIR 25 » for any transfer; our references have at least six digits.
const orderReference = /\bVIR[\s_-]*(\d{6,9})\b/i

/** Returns the id of the pro-forma named in a bank's text; undefined when there is none. */
export function namedOrder({
  label,
  reference,
}: Pick<StatementLine, 'label' | 'reference'>): number | undefined {
  const [, digits] = orderReference.exec(label) ?? orderReference.exec(reference) ?? []
  return digits ? Number(digits) : undefined
}

/**
 * Compares a bank's statement with the expected and the recorded transfers.
 *
 * @param recorded transfers whose bank reference is in the statement, and those of its period
 */
export function compareTransfers(
  lines: readonly StatementLine[],
  { orders, recorded }: { orders: readonly Transfer[]; recorded: readonly Recorded[] },
): Compared {
  const compared: Compared = { differences: [], matched: 0, ignored: 0 }
  const byId = new Map(orders.map((order) => [order.id, order]))
  const open = new Map(groupBy(recorded, ({ bankReference }) => bankReference))
  for (const line of lines) {
    const same = open.get(line.reference) ?? []
    const isSame = ({ amount, transfer }: Recorded) =>
      plainAmount(String(amount)) === line.amount && isIn(line, transfer)
    // A recorded transfer with the same reference matches even if its amount differs.
    const at = Math.max(same.findIndex(isSame), same.length > 0 ? 0 : -1)
    const match = same[at]
    if (match) open.set(line.reference, same.toSpliced(at, 1))
    if (match && isSame(match)) {
      compared.matched += 1
      continue
    }
    const order = match?.transfer ?? byId.get(namedOrder(line) ?? 0) ?? null
    const isOther = match !== undefined || (order !== null && !isIn(line, order))
    const kind = !order
      ? 'without reference'
      : isOther
        ? 'other amount'
        : order.state === 'paid'
          ? 'paid already'
          : 'to record'
    compared.differences.push({
      ...differ(kind, { line: shown(line), transfer: order }),
      // A recorded transfer has no status to decide, so the team must examine it.
      ...(isOther && { action: 'examine' as const }),
      ...(match && { why: whyOf(kind, match) }),
    })
  }
  for (const absent of [...open.values()].flat()) {
    const { isInPeriod, transfer } = absent
    const kind = 'absent at the bank'
    if (isInPeriod) compared.differences.push(differ(kind, { transfer, why: whyOf(kind, absent) }))
  }
  return compared
}

/** Returns the reason of a difference, with the receipt that it concerns: a pro forma may have several. */
function whyOf(kind: DifferenceKind, { bankReference, amount, transfer }: Recorded): string {
  return `Le virement ${bankReference} de ${moneyText(amount, transfer.currency)} est enregistré ici. ${differenceWords[kind].why}`
}

const isIn = (line: StatementLine, { currency }: Transfer) =>
  line.currency === null || line.currency === currency
