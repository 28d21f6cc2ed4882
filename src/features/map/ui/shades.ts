import { type MapMeasure, type PlaceClass, type Scale, shadeOfLevel } from '#features/map/map.rules.ts'
import { formatMoney, formatPercent } from '#web/format.ts'

// Levels: one hue from pale to dark. Changes: blue and vermilion, distinguishable by colour-blind readers, with a pale
// ochre between. Full class names, because Tailwind scans the sources. `background` is a single colour, also used in the
// legend of an exported image.
const shades: Record<MapMeasure, readonly { fill: string; background: string }[]> = {
  level: [
    { fill: 'fill-chart-1 opacity-20', background: 'bg-chart-1/20' },
    { fill: 'fill-chart-1 opacity-40', background: 'bg-chart-1/40' },
    { fill: 'fill-chart-1 opacity-60', background: 'bg-chart-1/60' },
    { fill: 'fill-chart-1 opacity-80', background: 'bg-chart-1/80' },
    { fill: 'fill-chart-1', background: 'bg-chart-1' },
  ],
  change: [
    { fill: 'fill-chart-1', background: 'bg-chart-1' },
    { fill: 'fill-chart-1 opacity-45', background: 'bg-chart-1/45' },
    { fill: 'fill-chart-5 opacity-20', background: 'bg-chart-5/20' },
    { fill: 'fill-chart-2 opacity-45', background: 'bg-chart-2/45' },
    { fill: 'fill-chart-2', background: 'bg-chart-2' },
  ],
}
const greys = {
  faint: { fill: 'fill-line-strong opacity-60', background: 'bg-line-strong/60' },
  none: { fill: 'fill-surface', background: 'bg-surface' },
} as const

/** Returns the colours of a class, on the map (`fill`) and in the legend (`background`). */
export function colourOf(place: PlaceClass, measure: MapMeasure): { fill: string; background: string } {
  if (place === 'faint' || place === 'none') return greys[place]
  return shades[measure][place] ?? greys.none
}

/**
 * Returns all classes of a scale with their labels, in the order of the legend; for provinces it includes those without
 * markets.
 */
export function legendOfScale(
  { measure, limits }: Scale,
  by: 'market' | 'province',
): { place: PlaceClass; words: string }[] {
  const greyWords = [
    {
      place: 'faint' as const,
      words: `Grisé\u00a0: ${measure === 'level' ? '' : 'tendance non établie, '}trop peu de relevés, ou de plus de 30\u00a0jours`,
    },
    {
      place: 'none' as const,
      words: `${measure === 'level' ? 'Aucun relevé' : 'Variation inconnue'}${by === 'province' ? ', ou aucun marché enregistré' : ''}`,
    },
  ]
  return [...(measure === 'level' ? levelWords(limits) : changeWords(limits)), ...greyWords]
}

function levelWords(limits: readonly number[]): { place: PlaceClass; words: string }[] {
  if (limits.length === 0) return [{ place: shadeOfLevel(0, limits), words: 'Prix moyen connu' }]
  return [undefined, ...limits].map((from, index) => {
    const to = limits[index]
    const place = shadeOfLevel(index, limits)
    if (from === undefined) return { place, words: `Le moins cher\u00a0: moins de ${formatMoney(to)}` }
    if (to === undefined) return { place, words: `Le plus cher\u00a0: ${formatMoney(from)} et plus` }
    return { place, words: `De ${formatMoney(from)} à moins de ${formatMoney(to)}` }
  })
}

function changeWords([strong]: readonly number[]): { place: PlaceClass; words: string }[] {
  const size = strong && formatPercent(100 * strong, false)
  return [
    ...(size ? [{ place: 0 as const, words: `Forte baisse\u00a0: ${size} ou plus` }] : []),
    { place: 1 as const, words: size ? `Baisse de moins de ${size}` : 'Baisse' },
    { place: 2 as const, words: 'Stable' },
    { place: 3 as const, words: size ? `Hausse de moins de ${size}` : 'Hausse' },
    ...(size ? [{ place: 4 as const, words: `Forte hausse\u00a0: ${size} ou plus` }] : []),
  ]
}
