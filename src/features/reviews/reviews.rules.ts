import type { DoubtEvidence, DoubtReason } from '#features/prices/doubt/doubt.rules.ts'
import { moneyText } from '#shared/money.ts'

/** Titles of the groups of the queue. */
export const reasonTitles: Record<DoubtReason, string> = {
  outlier: 'Prix inhabituel',
  absent: 'Dit absent par un autre agent',
  far: 'Relevé loin du marché',
  fast: 'Visite trop rapide',
  duplicate: 'Doublon possible',
}

/** Reasons to return a price, one key each on the screen, shown to the agent. */
export const returnReasons = [
  'Zéro de trop\u202f?',
  'Autre unité\u202f?',
  'Autre produit\u202f?',
  'Photo demandée',
] as const

export type Explained = DoubtEvidence & {
  priceValue: number
  currency: string
  /** Names of the collector with the same amount, and of the agent who reported the product absent. */
  twinName: string | null
  absentName: string | null
}

/** Returns one sentence with the evidence of a reason. */
export function reasonSentence(reason: DoubtReason, said: Explained): string {
  switch (reason) {
    case 'outlier':
      return outlierSentence(said)
    case 'absent':
      return `${said.absentName ?? 'Un autre agent'} l’a dit absent de ce marché le même jour.`
    case 'far':
      return `Relevé à ${distanceText(said.metres ?? 0)} du marché.`
    case 'fast':
      return `${said.goods ?? 0} produits saisis en ${said.seconds ?? 0}\u00a0secondes.`
    case 'duplicate':
      return `${said.twinName ?? 'Un autre collecteur'} a relevé le même prix le même jour.`
  }
}

function outlierSentence({ priceValue, currency, usual, quotes, cdf, last }: Explained): string {
  const price = moneyText(priceValue, currency)
  if (usual && cdf) {
    const many = quotes === 1 ? 'le seul relevé' : `médiane de ${quotes} relevés`
    const rest = `${moneyText(usual, 'CDF')}, ${many} en 90\u00a0jours`
    return `${price}, ${ratioText(cdf / usual)} (${rest}).`
  }
  return last
    ? `${price}, alors que le dernier relevé disait ${moneyText(last.value, last.currency)}.`
    : `${price}, loin de ce qui a été relevé avant.`
}

const times = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })

/** Returns « 10 fois le prix habituel », « 42 % de moins que d’habitude ». */
function ratioText(ratio: number): string {
  if (ratio >= 2) return `${times.format(ratio)}\u00a0fois le prix habituel`
  if (ratio < 0.01) return `${times.format(1 / ratio)}\u00a0fois moins que d’habitude`
  const share = Math.round(100 * Math.abs(ratio - 1))
  return `${share}\u00a0% de ${ratio < 1 ? 'moins' : 'plus'} que d’habitude`
}

function distanceText(metres: number): string {
  return metres < 1_000 ? `${Math.round(metres)}\u00a0m` : `${times.format(metres / 1_000)}\u00a0km`
}

/** Words for the decisions of the log. */
export const outcomeWords = {
  confirmed: 'Confirmé par deux relevés',
  accepted: 'Accepté',
  corrected: 'Corrigé',
  rejected: 'Écarté',
  withdrawn: 'Supprimé ailleurs',
} as const
