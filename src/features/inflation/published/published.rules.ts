import type { PublishedFigure } from '#features/inflation/published/published.contract.ts'

type Ours = {
  /** A fraction; null where we have none. */
  ours: number | null
  /** The number of types with and without a weight; null where all series have equal weights. */
  weights: { types: number; typesWithout: number } | null
  basis: { series: number; products: number; isThin: boolean; isStale: boolean }
}

/** Explains in sentences why our figure and a published one differ: by how much, then what each measures. */
export function explain(
  published: Pick<PublishedFigure, 'publisher' | 'measure' | 'value'>,
  ours: Ours,
): string {
  const { publisher, measure, value } = published
  if (ours.ours === null) {
    return `Nous n’avons pas de chiffre pour cette semaine\u00a0: trop peu de séries la relient à celle que ${nameOf(publisher)} lui compare.`
  }
  const gap = Math.round((100 * ours.ours - value) * 10) / 10
  const { series, products, isThin } = ours.basis
  const size =
    Math.abs(gap) < 0.1
      ? 'Les deux chiffres sont les mêmes à un dixième de point près'
      : `Le nôtre est ${gap > 0 ? 'plus haut' : 'plus bas'} de ${points(Math.abs(gap))}`
  const baskets = `le nôtre suit ${counted(series, 'série')} de ${counted(products, 'produit')}, ${weighing(ours.weights)}\u202f; celui de ${nameOf(publisher)} est pondéré et comprend des services (loyers, transports, santé)`
  return [
    `${size}\u00a0: ${baskets}.`,
    measure === 'annualised' && 'L’annualisation grossit les écarts, surtout en début d’année.',
    measure === 'weekly' && 'Sur une semaine, un écart d’un point est fréquent.',
    isThin && 'Notre base est mince\u00a0: à lire avec prudence.',
  ]
    .filter(Boolean)
    .join(' ')
}

function weighing(weights: Ours['weights']): string {
  if (!weights) return 'sans pondération'
  const { types, typesWithout } = weights
  return typesWithout > 0
    ? `de ${types} types pondérés sur ${types + typesWithout}`
    : 'avec pondération par type'
}

function nameOf(publisher: PublishedFigure['publisher']): string {
  return publisher === 'INS' ? 'l’INS' : 'la BCC'
}

const points = (gap: number) => counted(gap, 'point')

const tenths = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })

/** Returns for example « 1 224 séries » or « 0,7 point ». */
function counted(count: number, noun: string): string {
  return `${tenths.format(count)} ${noun}${count >= 2 ? 's' : ''}`
}
