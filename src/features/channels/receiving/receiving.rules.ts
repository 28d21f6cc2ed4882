import type { FoundPrice } from '#features/public-prices/public-prices.contract.ts'
import { withoutAccents } from '#shared/accents.ts'
import { moneyText } from '#shared/money.ts'

export type Asked =
  | { kind: 'start'; token: string | null }
  | { kind: 'stop' }
  | { kind: 'search'; text: string }

/** Parses a reader's text. */
export function readAsked(text: string): Asked {
  const start = /\/start(?:\s+([\w-]{20,64}))?\b/.exec(text)
  if (start) return { kind: 'start', token: start[1] ?? null }
  if (asksToStop(text)) return { kind: 'stop' }
  return { kind: 'search', text: text.replace(/^\s*\//, '').slice(0, 100) }
}

const stopWords = [
  'stop',
  'stopper',
  'arret',
  'arreter',
  'arretez',
  'desabonner',
  'desabonnez',
  'desinscrire',
]
/** Longest text that asks to stop: « stop svp », « me désabonner », « STOP ALERTES ». */
const mostStopWords = 3

/** Whether a short text asks to stop, written in any way: « Stop. », « arrêtez », `/stop@bot`. */
function asksToStop(text: string): boolean {
  const letters = withoutAccents(text).toLowerCase().replaceAll(/@\S*/g, ' ')
  const said = letters.match(/[\p{L}\p{N}]+/gu) ?? []
  return said.length <= mostStopWords && said.some((word) => stopWords.includes(word))
}

export const words = {
  hello:
    'Bonjour\u202f! Écrivez un produit et une ville, par exemple «\u202friz goma\u202f», pour lire le dernier prix. Pour recevoir vos alertes ici, ouvrez le lien de vos paramètres sur Ntalo.',
  linked:
    'C’est fait\u00a0: vos alertes Ntalo arriveront ici. Écrivez «\u202friz goma\u202f» pour lire un prix, /stop pour ne plus rien recevoir.',
  stopped:
    'C’est fait\u00a0: vous ne recevrez plus d’alertes ici. Elles restent sur Ntalo, et vos paramètres permettent de relier ce compte à nouveau.',
  expired:
    'Ce lien n’est plus valable. Demandez-en un autre dans vos paramètres sur Ntalo, puis ouvrez-le ici.',
}

const mostAnswered = 3
const days = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Returns the last prices found, one per line, the latest first. */
export function priceAnswer(text: string, found: readonly FoundPrice[], publicUrl: string | null): string {
  const lines = found.flatMap(({ name, market, lastPrice, currency, lastDay }) =>
    lastPrice === null || !currency || !lastDay
      ? []
      : [`${name}, ${market}\u00a0: ${moneyText(lastPrice, currency)} le ${days.format(new Date(lastDay))}`],
  )
  if (lines.length === 0) {
    return `Aucun prix pour «\u202f${text.trim().slice(0, 60)}\u202f». Écrivez un produit et une ville, par exemple «\u202friz goma\u202f».`
  }
  const others = lines.length - mostAnswered
  const page = publicUrl && `${publicUrl}/recherche?${new URLSearchParams({ q: text.trim().slice(0, 100) })}`
  return [
    ...lines.slice(0, mostAnswered),
    ...(others > 0 ? [`Et ${others}\u00a0${others > 1 ? 'autres' : 'autre'}.`] : []),
    ...(page ? [page] : []),
  ].join('\n')
}
