import { classOf, type MeasuredPlace, type PlaceClass, scaleOf } from '#features/map/map.rules.ts'
import { provinceOutlines } from '#features/markets/province-outlines.rules.ts'
import type { DrawnReport, Shape } from '#shared/drawing.ts'

type Section = DrawnReport['sections'][number]
type Province = { name: string; d: string; place: PlaceClass }

/** Returns the provinces of a section with their colour classes; provinces without a row have class `none`. */
export function colouredProvinces({ unit, rows }: Pick<Section, 'unit' | 'rows'>): Province[] {
  const measure = unit === '%' ? 'change' : 'level'
  const places = new Map<string, MeasuredPlace>(
    rows.map(({ name, value, isFaint = false, isProvisional = false }) => [
      name,
      // A change is in percent, and the scale in fractions.
      {
        value: value === null || measure === 'level' ? value : value / 100,
        isFaint,
        isStable: isProvisional,
      },
    ]),
  )
  const scale = scaleOf(measure, [...places.values()])
  return Object.entries(provinceOutlines).map(([name, d]) => {
    const place = places.get(name)
    return { name, d, place: place ? classOf(place, scale) : 'none' }
  })
}

// Colours of the map on screen, on white paper.
const paperColours: Record<'level' | 'change', readonly string[]> = {
  level: ['#cce3f0', '#99c7e0', '#66aad1', '#338ec1', '#0072b2'],
  change: ['#0072b2', '#8cc0dc', '#fcf9e3', '#ecb48c', '#d55e00'],
}
const greys = { faint: '#d9d4c9', none: '#ffffff' }

/** Bounds of the country in hundredths of a degree, and the width of the drawing (px). */
const frame = { left: 1130, top: -600, width: 2090, height: 2010 }
const drawnWidth = 340

/** Returns a section with its map drawn as shapes, for paper; other sections unchanged. */
export function withPicture(section: Section): Section {
  if (section.drawn !== 'picture') return section
  const scale = drawnWidth / frame.width
  const measure = section.unit === '%' ? 'change' : 'level'
  const shapes = colouredProvinces(section).map(({ d, place }): Shape => {
    const fill =
      place === 'faint' || place === 'none' ? greys[place] : (paperColours[measure][place] ?? greys.none)
    return {
      kind: 'path',
      d: scaledPath(d, scale),
      fill,
      stroke: '#b9b2a4',
      opacity: 1,
      width: 0.7,
      dash: [],
    }
  })
  const said = section.rows.flatMap(({ name, text }) => (text ? [`${name} ${text}`] : []))
  return {
    ...section,
    picture: {
      width: drawnWidth,
      height: Math.round(frame.height * scale),
      shapes,
      alt: `Carte des provinces de la RD Congo. ${said.join(', ') || 'Aucun chiffre'}.`,
    },
  }
}

/** Translates an outline to the corner of the frame and scales it; an outline is one start and relative steps. */
function scaledPath(d: string, scale: number): string {
  const round = (value: number) => Math.round(100 * value) / 100
  const [x = 0, y = 0, ...steps] = (d.match(/-?\d+/g) ?? []).map(Number)
  const start = [x - frame.left, y - frame.top].map((value) => round(value * scale))
  return `M${start.join(' ')}l${steps.map((step) => round(step * scale)).join(' ')}z`
}
