import {
  brokenLimit,
  guessOperator,
  type Operator,
  operatorNames,
  type PayingMethod,
} from '#features/payments/mobile-money.rules.ts'
import { moneyText } from '#shared/money.ts'
import { readPhone } from '#shared/phone.ts'

export type AmountDue = { price: number; currency: 'CDF' | 'USD' }
type Typed = { phone?: string | null | undefined; operator?: Operator | null | undefined }

const hundredths = 100n
const millionths = 1_000_000n

/**
 * Converts an amount or a rate to an integer number of its smallest units, by its digits, without floating-point
 * multiplication.
 */
function toSmallestUnits(value: number, decimals: 2 | 6): bigint {
  const [whole = '', rest = ''] = String(value).split('.')
  return BigInt(whole + rest.padEnd(decimals, '0'))
}

/**
 * Converts a price to a currency: whole francs, or dollars to the cent, rounded up. Exact: hundredths of money times
 * millionths of the rate.
 * @param cdfPerUsd francs for a dollar; undefined when there is no rate
 * @returns undefined when it cannot be converted
 */
export function priceIn(
  price: AmountDue,
  currency: AmountDue['currency'],
  cdfPerUsd: number | undefined,
): AmountDue | undefined {
  if (price.currency === currency) return price
  if (cdfPerUsd === undefined) return undefined
  const cents = toSmallestUnits(price.price, 2)
  const rate = toSmallestUnits(cdfPerUsd, 6)
  return currency === 'CDF'
    ? { currency, price: Number(dividedUp(cents * rate, hundredths * millionths)) }
    : { currency, price: Number(dividedUp(cents * millionths, rate)) / Number(hundredths) }
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/** The payer of a payment by mobile money, or the field at fault and its message. */
export type Payer =
  | { phone: string; operator: Operator }
  | { field: 'phone' | 'operator' | 'planId'; message: string }

/**
 * Returns the payer, or the field at fault.
 * @param methods methods that the provider accepts now
 */
export function readPayer(
  typed: Typed,
  { price, currency }: AmountDue,
  methods: readonly PayingMethod[],
): Payer {
  const phone = typed.phone ? readPhone(typed.phone) : undefined
  if (!phone) {
    const message = typed.phone
      ? 'Ce n’est pas un numéro de mobile congolais. Exemple\u00a0: 081 345 67 89 ou +243 81 345 67 89.'
      : 'Indiquez le numéro du compte mobile money.'
    return { field: 'phone', message }
  }
  const guess = guessOperator(phone)
  if (guess === 'AFRICELL') {
    return {
      field: 'phone',
      message:
        'Africell n’est pas encore pris en charge. Utilisez un numéro M-Pesa, Airtel Money ou Orange Money.',
    }
  }
  const operator = typed.operator ?? guess
  if (!operator) return { field: 'operator', message: 'Choisissez l’opérateur de ce numéro.' }
  if (guess && operator !== guess) {
    return {
      field: 'operator',
      message: `Ce numéro est un numéro ${operatorNames[guess]}. Choisissez cet opérateur, ou vérifiez le numéro.`,
    }
  }
  const name = operatorNames[operator]
  const ways = methods.filter((each) => each.operator === operator)
  if (ways.length === 0) {
    return { field: 'operator', message: `${name} n’est pas disponible. Choisissez un autre opérateur.` }
  }
  const method = ways.find((each) => each.currency === currency)
  if (!method) return { field: 'operator', message: `${name} ne prend pas les paiements en ${currency}.` }
  if (!method.isOpen) {
    return {
      field: 'operator',
      message: `${name} est fermé pour le moment. Réessayez plus tard, ou choisissez un autre opérateur.`,
    }
  }
  const message = limitMessage(name, price, method)
  return message ? { field: 'planId', message } : { phone, operator }
}

function limitMessage(name: string, price: number, method: PayingMethod): string | undefined {
  const { currency } = method
  const write = (amount: string) => moneyText(amount, currency)
  switch (brokenLimit(price, method)) {
    case 'too small':
      return `Ce montant est trop petit pour ${name}\u00a0: ${write(method.minAmount)} au moins.`
    case 'too large':
      return `Ce montant est trop grand pour ${name}\u00a0: ${write(method.maxAmount)} au plus.`
    case 'decimals':
      return `${name} ne prend que des montants entiers en ${currency}.`
    default:
      return undefined
  }
}
