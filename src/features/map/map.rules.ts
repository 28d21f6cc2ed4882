/** The measures that a map can show by colour. */
export const mapMeasures = ['level', 'change'] as const
export type MapMeasure = (typeof mapMeasures)[number]

/** A place as drawn: its value, and whether it is faint (thin basis or old prices). */
export type MeasuredPlace = { value: number | null; isFaint: boolean; isStable: boolean }

/** From 0, the cheapest, to 4. For a change: 0 a strong fall, 2 stable, 4 a strong rise. */
export type Shade = 0 | 1 | 2 | 3 | 4
/** `faint`: too thin or too old to be classed; `none`: no figure. */
export type PlaceClass = Shade | 'faint' | 'none'

/**
 * The classes of values. `limits` lie between classes, ascending: at most four for levels; for changes one, from which
 * a change is strong.
 */
export type Scale = { measure: MapMeasure; limits: readonly number[] }

const mostClasses = 5

/**
 * Computes a scale: levels in classes with about the same number of places; changes in rises and falls, with the
 * stronger half in classes of their own. Limits are rounded to two significant digits; faint places are ignored.
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
  // The minimum must be below the first limit, or the first class would be empty.
  return { measure, limits: [...new Set(limits)].filter((limit) => limit > (sorted[0] ?? 0)) }
}

/** Returns the class of a place on a scale. */
export function classOf({ value, isFaint, isStable }: MeasuredPlace, { measure, limits }: Scale): PlaceClass {
  if (value === null) return 'none'
  if (isFaint) return 'faint'
  if (measure === 'level') return shadeOfLevel(limits.filter((limit) => value >= limit).length, limits)
  if (isStable) return 2
  // Compares values as displayed, to a tenth of a percent: 6,9 % is not below 6,9 %.
  const isStrong =
    limits[0] !== undefined && Math.round(Math.abs(value) * 1000) >= Math.round(limits[0] * 1000)
  return value > 0 ? (isStrong ? 4 : 3) : isStrong ? 0 : 1
}

/** Returns the shade of a class of levels, spread from the palest to the darkest whatever the number of classes. */
export function shadeOfLevel(index: number, limits: readonly number[]): Shade {
  return (limits.length === 0 ? 2 : Math.round((4 * index) / limits.length)) as Shade
}

type Point = { x: number; y: number }

/**
 * Moves points apart until no two are nearer than `gap`, each as little as possible. Deterministic.
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
          // Points at the same position are first moved slightly, each in another direction.
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
