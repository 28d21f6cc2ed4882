import type { PhoneEntry } from '#features/collection/phone/phone.rules.ts'
import { withoutAccents } from '#shared/accents.ts'
import { dayInKinshasa, dayMs } from '#shared/days.ts'
import { moneyText } from '#shared/money.ts'

export const stateWords: Record<PhoneEntry['state'], string> = {
  waiting: 'à envoyer',
  sent: 'envoyé, reçu attendu',
  received: 'reçu',
  check: 'à vérifier',
}

const days = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Returns the current day in the time zone of the markets, whatever the zone of the phone. */
export const dayAtMarkets = () => dayInKinshasa(new Date())

/** Returns the age of a price: `hier`, `il y a 12 j`. */
export function ageWords(day: string): string {
  const age = Math.round((Date.parse(dayAtMarkets()) - Date.parse(day)) / dayMs)
  if (age <= 0) return 'aujourd’hui'
  if (age === 1) return 'hier'
  return age < 60 ? `il y a ${age} j` : `le ${days.format(new Date(day))}`
}

export const momentText = (iso: string) => moments.format(new Date(iso))
export const shortDay = (iso: string) =>
  new Date(iso).toLocaleDateString('fr-FR', { day: 'numeric', month: 'short' })

/** Returns `66 000` or `12,30`, for use beside the currency. */
export const bareText = (value: number, currency: string) =>
  moneyText(value, currency).replace(/\s*(FC|\$US)$/, '')

/** Returns `66 000` in francs, `12,30 $US` otherwise. */
export function amountText(value: number, currency: string): string {
  const text = moneyText(value, currency)
  return currency === 'CDF' ? text.replace(/\s*FC$/, '') : text
}

/** Returns the content of an entry, in short. */
export function saidText({ kind, priceValue, currency, reason }: PhoneEntry): string {
  if (kind === 'withdrawn') return 'à écarter'
  if (kind === 'absent') return reason ? `absent, ${reason}` : 'absent'
  return moneyText(priceValue ?? 0, currency)
}

export function countWords(count: number, one: string, many: string): string {
  return `${count} ${count > 1 ? many : one}`
}

/** Folds text for a search: without accents and capitals. */
export const foldedText = (text: string) => withoutAccents(text).toLowerCase()
