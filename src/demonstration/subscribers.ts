import { type DaySpan, periodUpTo } from '#demonstration/calendar.ts'
import { demonstrationRates } from '#demonstration/exchange-rates.ts'
import { cities } from '#demonstration/facts/places.ts'
import { demonstrationPlans, type PlanFacts, type PlanName } from '#demonstration/facts/plans.ts'
import { type Random, randomStream } from '#demonstration/random.ts'
import { periodEnd, trialDays } from '#features/subscriptions/subscriptions.rules.ts'
import { dayMs } from '#shared/days.ts'

export type PaymentFacts = {
  amount: number
  currency: 'USD' | 'CDF'
  status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED'
  method: 'VISA' | 'MOBILE_MONEY' | 'CASH'
  transactionRef: string | null
  authorizationCode: string | null
  createdAt: Date
}

export type SubscriptionFacts = {
  /** Null for a trial. */
  plan: PlanName | null
  status: 'TRIAL' | 'ACTIVE' | 'EXPIRED' | 'CANCELED'
  startDate: Date
  endDate: Date
  payments: PaymentFacts[]
}

export type Subscriber = {
  name: string
  email: string
  role: 'user' | 'individual' | 'enterprise'
  location: string
  createdAt: Date
  subscriptions: SubscriptionFacts[]
}

const subscribers = 40
const minuteMs = 60_000

// biome-ignore format: lists of names
const firstNames = ['Aimé', 'Alphonsine', 'Bijou', 'Carine', 'Célestin', 'Clarisse', 'Dorcas', 'Élie', 'Francine', 'Gédéon', 'Hervé', 'Joëlle', 'Laetitia', 'Marcel', 'Nathan', 'Olive', 'Pascal', 'Rachel', 'Serge', 'Yannick'] as const
// biome-ignore format: lists of names
const lastNames = ['Amani', 'Bakongo', 'Bolamba', 'Ekanga', 'Ilunga', 'Kabasele', 'Kambale', 'Kasongo', 'Kitenge', 'Lutete', 'Makiese', 'Mbala', 'Mulumba', 'Mwamba', 'Ndaya', 'Nkulu', 'Omari', 'Pungu', 'Tshibangu', 'Wembo'] as const

/**
 * Generates subscribers without a password who tried, paid, renewed or left over the 24 months, as data for the
 * back-office.
 */
export function demonstrationSubscribers(now: Date): Subscriber[] {
  const random = randomStream('subscribers')
  const period = periodUpTo(now)
  const rates = demonstrationRates(period)
  const places = Object.keys(cities)
  return Array.from({ length: subscribers }, (_, i) => {
    const first = firstNames[i % firstNames.length] ?? firstNames[0]
    // Each first name gets a different family name on its second use.
    const last = lastNames[(7 * i + Math.floor(i / firstNames.length)) % lastNames.length] ?? lastNames[0]
    // Sign-ups grow more frequent over the period, as on a growing platform.
    const joinedMs = Math.sqrt((i + random.next()) / subscribers) * (period.last - period.first) * dayMs
    const createdAt = new Date(Math.min(now.getTime() - dayMs, period.first * dayMs + joinedMs))
    return {
      name: `${first} ${last}`,
      email: `${ascii(first)}.${ascii(last)}@clients.ntalo.cd`,
      role: random.pick(['user', 'user', 'individual', 'enterprise']),
      location: places[Math.floor(random.next() ** 2 * places.length)] ?? 'Kinshasa',
      createdAt,
      subscriptions: historyOf(createdAt, now, random, (at) => rateAt(at, period, rates)),
    }
  })
}

/** Returns the subscription of the accounts `abonne@` and `essai@`. */
export function accountSubscription(
  email: string,
  createdAt: Date,
  now: Date,
): SubscriptionFacts | undefined {
  if (email === 'essai@ntalo.cd') return trial(createdAt, now)
  if (email !== 'abonne@ntalo.cd') return undefined
  const startDate = new Date(now.getTime() - 20 * dayMs)
  const plan = demonstrationPlans[3]
  const payment: PaymentFacts = {
    amount: plan.priceUsd,
    currency: 'USD',
    status: 'PAID',
    method: 'VISA',
    transactionRef: 'DEMO-ABONNE',
    authorizationCode: '482913',
    createdAt: new Date(startDate.getTime() - 2 * minuteMs),
  }
  return {
    plan: plan.name,
    status: 'ACTIVE',
    startDate,
    endDate: periodEnd(startDate, plan.billingPeriod),
    payments: [payment],
  }
}

function historyOf(
  createdAt: Date,
  now: Date,
  random: Random,
  rate: (at: Date) => number,
): SubscriptionFacts[] {
  const history = [trial(createdAt, now)]
  const plan = random.pick<PlanFacts & { name: PlanName }>([
    demonstrationPlans[0],
    demonstrationPlans[0],
    demonstrationPlans[1],
    demonstrationPlans[1],
    demonstrationPlans[2],
    demonstrationPlans[3],
  ])
  const method = random.pick(['MOBILE_MONEY', 'MOBILE_MONEY', 'MOBILE_MONEY', 'VISA', 'CASH'] as const)
  const paysInFrancs = method !== 'VISA' && random.next() < 0.4
  const isConvinced = random.next() < 0.8
  let startDate = new Date(createdAt.getTime() + (trialDays + random.between(0, 6)) * dayMs)
  while (isConvinced && startDate < now) {
    const endDate = periodEnd(startDate, plan.billingPeriod)
    const amount = paysInFrancs ? Math.round((plan.priceUsd * rate(startDate)) / 100) * 100 : plan.priceUsd
    const pay = (status: PaymentFacts['status'], minutes: number) => {
      const createdAt = new Date(Math.min(now.getTime(), startDate.getTime() + minutes * minuteMs))
      return payment({ amount, currency: paysInFrancs ? 'CDF' : 'USD', method, status, createdAt }, random)
    }
    const isRegretted = random.next() < 0.03
    const payments = [pay(isRegretted ? 'REFUNDED' : 'PAID', -2)]
    if (random.next() < 0.1) payments.unshift(pay('FAILED', -9))
    // A renewal in progress: the mobile operator has not answered yet.
    if (!isRegretted && endDate > now && endDate.getTime() < now.getTime() + 6 * dayMs) {
      payments.push(
        pay('PENDING', (now.getTime() - startDate.getTime()) / minuteMs - random.integer(20, 900)),
      )
    }
    const status = isRegretted ? 'CANCELED' : endDate > now ? 'ACTIVE' : 'EXPIRED'
    history.push({ plan: plan.name, status, startDate, endDate, payments })
    if (isRegretted || random.next() < 0.12) break
    startDate = endDate
  }
  return history
}

function trial(createdAt: Date, now: Date): SubscriptionFacts {
  const startDate = new Date(createdAt.getTime() + 10 * minuteMs)
  const endDate = new Date(startDate.getTime() + trialDays * dayMs)
  return { plan: null, status: endDate > now ? 'TRIAL' : 'EXPIRED', startDate, endDate, payments: [] }
}

function payment(
  facts: Omit<PaymentFacts, 'transactionRef' | 'authorizationCode'>,
  random: Random,
): PaymentFacts {
  const digits = (length: number) => String(random.integer(0, 10 ** length - 1)).padStart(length, '0')
  return {
    ...facts,
    transactionRef: facts.method === 'CASH' ? null : `DEMO-${digits(8)}`,
    authorizationCode: facts.method === 'VISA' && facts.status === 'PAID' ? digits(6) : null,
  }
}

function rateAt(at: Date, { first }: DaySpan, rates: readonly number[]): number {
  return rates[Math.floor(at.getTime() / dayMs) - first] ?? rates.at(-1) ?? 0
}

function ascii(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
}
