/** What a map colours its places by. */
export const mapMeasures = ['level', 'change'] as const
export type MapMeasure = (typeof mapMeasures)[number]

/** What a place is drawn from: what it measures, and whether that rests on too little or on old prices. */
export type MeasuredPlace = { value: number | null; isFaint: boolean; isStable: boolean }

/** From 0, the cheapest, to 4; of a change, from 0, a strong fall, over 2, stable, to 4, a strong rise. */
export type Shade = 0 | 1 | 2 | 3 | 4
/** `faint`: too little or too old to be classed; `none`: no figure. */
export type PlaceClass = Shade | 'faint' | 'none'

/** How values are classed. `limits` lie between classes, ascending: of a level at most four, of a change one, its strong one. */
export type Scale = { measure: MapMeasure; limits: readonly number[] }

const mostClasses = 5

/**
 * The scale that tells places apart: levels in classes of about as many places each; changes in rises and falls, the
 * stronger half of them apart. Limits are rounded to two figures, and faint places have no say.
 */
export function scaleOf(measure: MapMeasure, places: readonly MeasuredPlace[]): Scale {
  const compared = places.flatMap(({ value, isFaint, isStable }) =>
    value === null || isFaint || (measure === 'change' && isStable) ? [] : [value],
  )
  if (measure === 'change') {
    const sizes = compared.map(Math.abs).sort((a, b) => a - b)
    const middle = sizes[sizes.length >> 1]
    return { measure, limits: middle === undefined || sizes.length < 2 ? [] : [twoFigures(middle)] }
  }
  const sorted = compared.sort((a, b) => a - b)
  const count = Math.min(mostClasses, new Set(sorted.map(twoFigures)).size)
  const limits = Array.from({ length: Math.max(0, count - 1) }, (_, i) =>
    twoFigures(sorted[Math.ceil((sorted.length * (i + 1)) / count)] ?? 0),
  )
  // The lowest of all is below the first limit, or its class would stay empty.
  return { measure, limits: [...new Set(limits)].filter((limit) => limit > (sorted[0] ?? 0)) }
}

/** The class of a place on a scale. */
export function classOf({ value, isFaint, isStable }: MeasuredPlace, { measure, limits }: Scale): PlaceClass {
  if (value === null) return 'none'
  if (isFaint) return 'faint'
  if (measure === 'level') return shadeOfLevel(limits.filter((limit) => value >= limit).length, limits)
  if (isStable) return 2
  // As it is written, to a tenth of a percent: what reads 6,9 % is not below 6,9 %.
  const isStrong =
    limits[0] !== undefined && Math.round(Math.abs(value) * 1000) >= Math.round(limits[0] * 1000)
  return value > 0 ? (isStrong ? 4 : 3) : isStrong ? 0 : 1
}

/** The shades of the classes of levels, from the palest to the darkest however many there are. */
export function shadeOfLevel(index: number, limits: readonly number[]): Shade {
  return (limits.length === 0 ? 2 : Math.round((4 * index) / limits.length)) as Shade
}

type Point = { x: number; y: number }

/**
 * Moves points of one town apart until none is nearer to another than `gap`, each as little as can be; always the same way.
 *
 * @param gap in the unit of the points
 */
export function spreadPoints<P extends Point>(points: readonly P[], gap: number): P[] {
  const moved = points.map((point) => ({ ...point }))
  for (let round = 0; round < 200; round++) {
    let isCrowded = false
    for (const [i, a] of moved.entries()) {
      for (const [j, b] of moved.entries()) {
        if (j <= i) continue
        const [dx, dy] = [b.x - a.x, b.y - a.y]
        const distance = Math.hypot(dx, dy)
        if (distance >= gap * 0.99) continue
        isCrowded = true
        if (distance < gap / 1000) {
          // On the very same spot, each leaves it a little first, in a direction of its own.
          b.x += (Math.cos(j * 2.4) * gap) / 10
          b.y += (Math.sin(j * 2.4) * gap) / 10
          continue
        }
        const step = (gap - distance) / 4 / distance
        a.x -= dx * step
        a.y -= dy * step
        b.x += dx * step
        b.y += dy * step
      }
    }
    if (!isCrowded) break
  }
  return moved
}

function twoFigures(value: number): number {
  return Number(value.toPrecision(2))
}
