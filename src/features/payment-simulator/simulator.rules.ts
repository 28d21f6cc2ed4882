// What the simulated providers do with a deposit, by the last three digits of the payer's number. The first seven are
// pawaPay's own sandbox numbers; the others are every other fault that a provider may have. FlexPay signs nothing. A card
// does the same by its own last three digits, as far as it makes sense there.

export type Scenario = {
  /** Answered to the deposit itself; `accepted` when absent. */
  initially?:
    | { kind: 'rejected'; code: string }
    /** Taken all the same. */
    | { kind: 'error after acceptance' }
    /** As if the reference had been used before; FlexPay's alone. */
    | { kind: 'already processed' }
    | { kind: 'error' }
  /** How it ends; never when absent. */
  outcome?: { kind: 'COMPLETED' } | { kind: 'FAILED'; code: string }
  /** It stays at a status that says nothing for sure; FlexPay's alone. */
  isUnclear?: boolean
  /** How much later (ms) than usual it ends, or the answer to the deposit leaves. */
  endsLaterMs?: number
  answersLaterMs?: number
  /** How often the callback is sent; 1 when absent. */
  callbacks?: number
  /** How much later (ms) than the end it is sent. */
  calledLaterMs?: number
  /** The callback leaves before the answer to the deposit. */
  isToldFirst?: boolean
  signature?: 'bad' | 'none' | 'old'
  /** What the callback and the status claim was paid. */
  claims?: { amount?: string; currency?: string; reference?: string }
  /** For so long (ms) it says that it knows of no such deposit. */
  isHiddenForMs?: number
  /** What it is called until it ends; ACCEPTED when absent. */
  waitsAs?: string
  /** Amounts are sent as JSON numbers. */
  hasNumbers?: boolean
  /** The callback says COMPLETED whatever the outcome. */
  isForged?: boolean
}

const completed: Scenario = { outcome: { kind: 'COMPLETED' } }
const failing = (code: string): Scenario => ({ outcome: { kind: 'FAILED', code } })

export const scenarios: Record<string, Scenario> = {
  789: completed,
  '019': failing('PAYER_LIMIT_REACHED'),
  '029': failing('PAYER_NOT_FOUND'),
  '039': failing('PAYMENT_NOT_APPROVED'),
  '049': failing('INSUFFICIENT_BALANCE'),
  '069': failing('UNSPECIFIED_FAILURE'),
  // Stays SUBMITTED, without any callback.
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
  // Nobody has paid, whatever this unsigned message says.
  214: { isForged: true, signature: 'none' },
  215: { initially: { kind: 'rejected', code: 'AMOUNT_OUT_OF_BOUNDS' } },
  216: { ...completed, hasNumbers: true },
  // Sent again by a client that believes it was not taken: DUPLICATE_IGNORED.
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

/** Who is paid at the simulated page for cards. */
export const simulatedMerchant = 'NTALO'

/** Any other number pays. */
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

/** What `GET /v2/active-conf` answers. */
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
