import type { Condition, Ring } from '#features/alerts/judging/judging.rules.ts'
import { channelLabels, channelNames } from '#features/channels/channels.rules.ts'
import { dayInFrench } from '#shared/days.ts'
import { moneyText } from '#shared/money.ts'

/** The channels of an alert, in addition to the list in the application. */
export const alertChannels = ['mail', ...channelNames] as const
export type AlertChannel = (typeof alertChannels)[number]
export const alertChannelLabels: Record<AlertChannel, string> = { mail: 'e-mail', ...channelLabels }

/** State of the page behind an unsubscribe link. */
export type UnsubscribeState = 'ask' | 'done' | 'unknown'

export const mostRules = 100
/** Number of days of prices replayed to judge an alert today: a change over a year, and its windows. */
export const daysReplayed = 400
/** A quote older than this (days) rings no alert: it was imported. */
export const freshDays = 14
/** Hours before a rule that rang can ring again in the same market. */
export const coolDownHours = 24

export type ThresholdInput = { kind: string; direction?: string | undefined; threshold?: number | undefined }

/** Whether a threshold suits a kind of alert: a silence is counted in whole days, and no price falls by 100 %. */
export function isPossibleThreshold({ kind, direction, threshold = 1 }: ThresholdInput): boolean {
  if (kind === 'change' && direction === 'below') return threshold < 100
  return kind !== 'silence' || (Number.isInteger(threshold) && threshold <= 365)
}

/** Returns what is wrong with a threshold that does not suit its kind of alert. */
export function impossibleThresholdWords({ kind }: Pick<ThresholdInput, 'kind'>): string {
  return kind === 'silence'
    ? 'Un nombre entier de jours, 365 au plus'
    : 'Moins de 100\u00a0%\u00a0: un prix ne peut pas baisser davantage'
}

type Place = {
  product: { name: string; weight: string }
  market: { name: string; location: string }
}

const percents = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const numbers = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 })

const daysText = (count: number) => `${numbers.format(count)}\u00a0${count > 1 ? 'jours' : 'jour'}`

/**
 * Returns the sentence of an alert, the same in every channel: product, market, price, day, threshold, number of
 * quotes. « Riz local, 1 kg à Virunga, Goma : 2 450 FC le 24 nov. 2026, au-dessus de votre seuil de 2 400 FC (2
 * relevés). »
 */
export function sentenceOf(condition: Condition, ring: Ring, { product, market }: Place): string {
  const subject = `${product.name}, ${product.weight} à ${market.name}, ${market.location}\u00a0: `
  const price = `${moneyText(ring.quote.cdf, 'CDF')} le ${dayInFrench(ring.quote.day)}`
  return `${subject}${saidOf(condition, ring, price)}`
}

function saidOf({ kind, direction, threshold, periodDays }: Condition, ring: Ring, price: string): string {
  const confirmed = `(${ring.quotes}\u00a0relevés)`
  if (kind === 'level') {
    const side = direction === 'above' ? 'au-dessus' : 'au-dessous'
    return `${price}, ${side} de votre seuil de ${moneyText(threshold, 'CDF')} ${confirmed}.`
  }
  if (kind === 'change') {
    const change = `${percents.format(ring.measure)}\u00a0%`
    return `${change} en ${periodDays}\u00a0jours, ${price}\u202f; votre seuil est de ${numbers.format(threshold)}\u00a0% ${confirmed}.`
  }
  if (kind === 'unusual') {
    const side = direction === 'above' ? 'haut' : 'bas'
    return `${price}, inhabituellement ${side} au regard des 90\u00a0jours d’avant ${confirmed}.`
  }
  return `aucun relevé depuis le ${dayInFrench(ring.quote.day)}, votre seuil est de ${daysText(threshold)}\u202f; dernier prix\u00a0: ${moneyText(ring.quote.cdf, 'CDF')}.`
}

/**
 * Returns the short sentence that fits in one SMS: « Riz local 1 kg, Virunga Goma: 2 450 FC le 24/11, au-dessus de 2
 * 400 FC (2 relevés). »
 */
export function shortSentenceOf(condition: Condition, ring: Ring, { product, market }: Place): string {
  const { kind, direction, threshold, periodDays } = condition
  const subject = `${product.name} ${product.weight}, ${market.name} ${market.location}: `
  const dayOf = (day: string) => day.slice(5).split('-').reverse().join('/')
  const price = `${moneyText(ring.quote.cdf, 'CDF')} le ${dayOf(ring.quote.day)}`
  const confirmed = `(${ring.quotes} relevés)`
  const limit = numbers.format(threshold)
  const said = {
    level: `${price}, ${direction === 'above' ? 'au-dessus' : 'au-dessous'} de ${moneyText(threshold, 'CDF')} ${confirmed}.`,
    change: `${percents.format(ring.measure)} % en ${periodDays} j, ${price}, seuil ${limit} % ${confirmed}.`,
    unusual: `${price}, inhabituellement ${direction === 'above' ? 'haut' : 'bas'} ${confirmed}.`,
    silence: `aucun relevé depuis le ${dayOf(ring.quote.day)}, seuil ${limit} j, dernier prix ${moneyText(ring.quote.cdf, 'CDF')}.`,
  }
  return subject + said[kind]
}

/** Returns the condition of a rule in words: « au-dessus de 2 400 FC », « hausse de plus de 10 % en 30 jours ». */
export function conditionText({ kind, direction, threshold, periodDays }: Condition): string {
  const isAbove = direction === 'above'
  if (kind === 'level') return `${isAbove ? 'au-dessus' : 'au-dessous'} de ${moneyText(threshold, 'CDF')}`
  if (kind === 'change')
    return `${isAbove ? 'hausse' : 'baisse'} de plus de ${numbers.format(threshold)}\u00a0% en ${periodDays}\u00a0jours`
  if (kind === 'unusual') return `inhabituellement ${isAbove ? 'haut' : 'bas'}`
  return `aucun relevé depuis plus de ${daysText(threshold)}`
}
