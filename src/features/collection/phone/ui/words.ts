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
/** Returns `3 mars` for a day, and for the day of an instant at the markets. */
export const shortDay = (at: string) => days.format(new Date(at.length === 10 ? at : dayInKinshasa(at)))

/** Returns `66 000` or `12,30`, for use beside the currency. */
export const bareText = (value: number, currency: string) =>
  moneyText(value, currency).replace(/\s*(FC|\$US)$/, '')

/** Returns `66 000` in francs, `12,30 $US` otherwise. */
export const amountText = (value: number, currency: string) =>
  currency === 'CDF' ? bareText(value, currency) : moneyText(value, currency)

/** Returns the content of an entry, in short. */
export function entryText({ kind, priceValue, currency, reason }: PhoneEntry): string {
  if (kind === 'withdrawn') return 'à écarter'
  if (kind === 'absent') return reason ? `absent, ${reason}` : 'absent'
  return moneyText(priceValue ?? 0, currency)
}

/** Numbers of entries and photos of an agent that the server has not received. */
type Left = { unsent: number; toCheck: number; photos: number }

/** Returns what is left to send and to look at; `since` is when the oldest entry was made, if that is long ago. */
export function statusText({
  hasNetwork,
  unsent,
  since,
  photos,
  toCheck,
  returned,
}: Left & { hasNetwork: boolean; since: string | null; returned: number }): string {
  const isEmpty = unsent + photos + toCheck === 0
  const parts = [
    !hasNetwork && 'Hors ligne',
    unsent > 0 && `${unsent} à envoyer${since ? ` depuis le ${shortDay(since)}` : ''}`,
    isEmpty && (hasNetwork ? 'Tout est reçu' : 'Rien à envoyer'),
    photos > 0 && countWords(photos, 'photo à envoyer', 'photos à envoyer'),
    returned > 0 && `${returned} à revoir`,
    toCheck > 0 && `${toCheck} à vérifier`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Returns the numbers of entries and photos to send, and of entries to check, as sentences for the end of a visit. */
export function leftText({ unsent, toCheck, photos }: Left): string {
  if (unsent + toCheck + photos === 0) return 'Tout est reçu.'
  const parts = [
    unsent > 0 && countWords(unsent, 'relevé', 'relevés'),
    photos > 0 && countWords(photos, 'photo', 'photos'),
  ].filter(Boolean)
  const going = `${parts.join(' et ')} à envoyer. L’envoi se fait seul dès que le réseau revient.`
  const check = `${toCheck} à vérifier dans «\u202fMes envois\u202f».`
  return [parts.length > 0 && going, toCheck > 0 && check].filter(Boolean).join(' ')
}

export function countWords(count: number, one: string, many: string): string {
  return `${count} ${count > 1 ? many : one}`
}

/** Folds text for a search: without accents and capitals. */
export const foldedText = (text: string) => withoutAccents(text).toLowerCase()
