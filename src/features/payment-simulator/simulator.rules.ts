// Behaviour of the simulated providers for a deposit, by the last three digits of the payer's number. The first seven
// are pawaPay's own sandbox numbers; the others cover every other fault of a provider. FlexPay signs nothing. A card
// uses its own last three digits, where they apply.

export type Scenario = {
  /** Response to the deposit request; `accepted` when absent. */
  initially?:
    | { kind: 'rejected'; code: string }
    /** The deposit is accepted, but the response is an error. */
    | { kind: 'error after acceptance' }
    /** As if the reference had been used before; FlexPay only. */
    | { kind: 'already processed' }
    | { kind: 'error' }
  /** Final result; none when absent. */
  outcome?: { kind: 'COMPLETED' } | { kind: 'FAILED'; code: string }
  /** Stays at an ambiguous status; FlexPay only. */
  isUnclear?: boolean
  /** Additional delays (ms) of the final result, and of the response to the request. */
  endsLaterMs?: number
  answersLaterMs?: number
  /** Number of callbacks; 1 when absent. */
  callbacks?: number
  /** Delay (ms) of the callback after the final result. */
  calledLaterMs?: number
  /** Whether the callback is sent before the response to the request. */
  isToldFirst?: boolean
  signature?: 'bad' | 'none' | 'old'
  /** Values that the callback and the status check give instead of the real ones. */
  claims?: { amount?: string; currency?: string; reference?: string }
  /** How long (ms) the status check says that the deposit does not exist. */
  isHiddenForMs?: number
  /** Status until the final result; ACCEPTED when absent. */
  waitsAs?: string
  /** Whether amounts are JSON numbers. */
  hasNumbers?: boolean
  /** Whether the callback says COMPLETED regardless of the result. */
  isForged?: boolean
}

const completed: Scenario = { outcome: { kind: 'COMPLETED' } }
const failing = (code: string): Scenario => ({ outcome: { kind: 'FAILED', code } })

const scenarios: Record<string, Scenario> = {
  789: completed,
  '019': failing('PAYER_LIMIT_REACHED'),
  '029': failing('PAYER_NOT_FOUND'),
  '039': failing('PAYMENT_NOT_APPROVED'),
  '049': failing('INSUFFICIENT_BALANCE'),
  '069': failing('UNSPECIFIED_FAILURE'),
  // Stays SUBMITTED, without a callback.
  129: {},
  201: { ...completed, calledLaterMs: 30_000 },
  202: { ...completed, callbacks: 10 },
  203: { ...completed, isToldFirst: true },
  204: { ...completed, callbacks: 0 },
  205: { ...completed, initially: { kind: 'error after acceptance' } },
  206: { initially: { kind: 'rejected', code: 'PROVIDER_TEMPORARILY_UNAVAILABLE' } },
  207: { ...completed, signature: 'bad' },
  208: { ...completed, claims: { amount: '1' } },
  209: { ...completed, claims: { currency: 'XAF' } },
  210: { ...completed, answersLaterMs: 15_000 },
  211: { ...completed, initially: { kind: 'error' } },
  212: { ...completed, signature: 'none' },
  213: { ...completed, endsLaterMs: 20_000, waitsAs: 'IN_RECONCILIATION' },
  // The deposit was not paid, whatever this unsigned callback says.
  214: { isForged: true, signature: 'none' },
  215: { initially: { kind: 'rejected', code: 'AMOUNT_OUT_OF_BOUNDS' } },
  216: { ...completed, hasNumbers: true },
  // The client, which believes it was not accepted, sends it again: DUPLICATE_IGNORED.
  217: {
    ...completed,
    initially: { kind: 'error after acceptance' },
    isHiddenForMs: 50_000,
    endsLaterMs: 60_000,
  },
  218: { ...completed, signature: 'old' },
  219: { ...completed, callbacks: 10, calledLaterMs: 30_000 },
  220: { ...completed, signature: 'bad', calledLaterMs: 30_000 },
  221: { ...completed, signature: 'old', calledLaterMs: 30_000 },
  222: { isUnclear: true },
  223: { ...completed, initially: { kind: 'already processed' } },
  224: { ...completed, claims: { reference: 'another' } },
}

/** Merchant paid on the simulated card page. */
export const simulatedMerchant = 'NTALO'

/** Returns the scenario of a number; any other number pays. */
export function scenarioOf(phone: string): Scenario {
  return scenarios[phone.slice(-3)] ?? completed
}

const way = (currency: string, minAmount: string, maxAmount: string, decimalsInAmount: string) => ({
  currency,
  operationTypes: {
    DEPOSIT: {
      minAmount,
      maxAmount,
      decimalsInAmount,
      authType: 'PROVIDER_AUTH',
      pinPrompt: 'AUTOMATIC',
      status: 'OPERATIONAL',
    },
  },
})

/** Response of `GET /v2/active-conf`. */
export const activeConfiguration = {
  companyName: 'Ntalo',
  countries: [
    {
      country: 'COD',
      providers: [
        {
          provider: 'VODACOM_MPESA_COD',
          currencies: [way('CDF', '500', '1000000', 'NONE'), way('USD', '1', '2500', 'TWO_PLACES')],
        },
        {
          provider: 'AIRTEL_COD',
          currencies: [way('CDF', '100', '6250000', 'TWO_PLACES'), way('USD', '0.1', '2500', 'TWO_PLACES')],
        },
        {
          provider: 'ORANGE_COD',
          currencies: [way('CDF', '10', '1000000', 'TWO_PLACES'), way('USD', '0.1', '500', 'TWO_PLACES')],
        },
      ],
    },
  ],
}

type Order = {
  orderNumber: string
  reference: string
  amount: string
  currency: string
  createdAt: Date
  status: string
  scenario: Scenario
}

/** Returns an order as FlexPay's check and callback give it. */
export function shownOrder({ scenario, ...order }: Order, channel: 'card' | 'mpesa') {
  const { orderNumber, reference, currency, createdAt } = order
  const amount = scenario.hasNumbers ? Number(order.amount) : order.amount
  const [day = '', time = ''] = createdAt.toISOString().split(/[T.]/)
  return {
    orderNumber,
    reference,
    amount,
    amountCustomer: amount,
    currency,
    ...scenario.claims,
    createdAt: `${day.split('-').reverse().join('-')} ${time}`,
    status: scenario.hasNumbers ? Number(order.status) : order.status,
    channel,
  }
}
