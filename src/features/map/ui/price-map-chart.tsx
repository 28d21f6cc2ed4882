import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import {
  classOf,
  type MapMeasure,
  type PlaceClass,
  type Scale,
  spreadPoints,
} from '#features/map/map.rules.ts'
import {
  basisOf,
  changeText,
  levelText,
  measured,
  type Place,
  sentenceOfPlace,
  weaknessOf,
} from '#features/map/ui/places.ts'
import { colourOf, legendOfScale } from '#features/map/ui/shades.ts'
import { CountryMap, isOnMap, mapFrame, mapPoint } from '#features/markets/country-map.view.tsx'
import { provinceOutlines } from '#features/markets/province-outlines.rules.ts'
import { groupBy } from '#shared/group-by.ts'
import { linkInText, linkWithin } from '#web/ui/charts/link-within.tsx'
import { useSize } from '#web/ui/charts/use-size.ts'

type PriceMapChartProps = {
  title: string
  places: readonly Place[]
  scale: Scale
  measure: MapMeasure
  by: 'market' | 'province'
}

const radius = 8
const borders = Object.values(provinceOutlines).join('')
const provinces = Object.keys(provinceOutlines).length

/**
 * Draws the country with coloured markets or provinces; arrow keys move between places, and the selected one is
 * described beside the map.
 */
export function PriceMapChart({ title, places, scale, measure, by }: PriceMapChartProps) {
  const [box, width] = useSize()
  const [shown, setShown] = useState<string | null>(null)
  const [current, setCurrent] = useState(0)
  const marks = useRef(new Map<string, SVGGElement>())
  // Marks have the same size on all screens: their radius scales with the drawing.
  const unit = width ? mapFrame.width / width : 3
  const drawn = useMemo(() => {
    if (by === 'province')
      return places.flatMap((place) => (provinceOutlines[place.name] ? [{ place, x: 0, y: 0 }] : []))
    const points = places.flatMap((place) => {
      if (!place.at || !isOnMap(place.at)) return []
      const { cx, cy } = mapPoint(place.at)
      return [{ place, x: cx, y: cy }]
    })
    return spreadPoints(points, 2.1 * radius * unit)
  }, [places, by, unit])
  const pointed = drawn.find(({ place }) => place.key === shown)?.place
  const go = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? drawn.length - 1
          : step === undefined
            ? null
            : current + step
    const target = next === null ? undefined : drawn[(next + drawn.length) % drawn.length]
    if (event.key === 'Escape') setShown(null)
    if (!target) return
    event.preventDefault()
    marks.current.get(target.place.key)?.focus()
  }
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_17rem]">
      {/* Limits the width so that the whole country fits on a screen without scrolling. */}
      <div ref={box} className="mx-auto w-full max-w-[clamp(22rem,100dvh-23rem,42rem)] self-start">
        <CountryMap
          label={`${title}. Les flèches vont d’un lieu à l’autre.`}
          isInteractive
          textSize={Math.min(78, 12 * unit)}
          // Names are placed outside the markets of a city, which are around its centre.
          nameGap={by === 'market' ? 3 * radius * unit : 7 * unit}
          areCitiesMarked={by === 'province'}
          className="max-w-none"
          land={
            <path
              d={borders}
              className={`${by === 'market' ? 'fill-sunken' : 'fill-surface'} stroke-line-strong`}
              strokeWidth={unit}
            />
          }
        >
          {drawn.map(({ place, x, y }, index) => {
            const { fill } = colourOf(classOf(measured(place, measure), scale), measure)
            return (
              // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own.
              <g
                key={place.key}
                ref={(mark) => {
                  if (mark) marks.current.set(place.key, mark)
                  return () => {
                    marks.current.delete(place.key)
                  }
                }}
                role="button"
                tabIndex={index === Math.min(current, drawn.length - 1) ? 0 : -1}
                aria-label={sentenceOfPlace(place, measure)}
                aria-pressed={place.key === shown}
                onFocus={() => {
                  setCurrent(index)
                  setShown(place.key)
                }}
                onPointerEnter={() => setShown(place.key)}
                onClick={() => setShown(place.key)}
                onKeyDown={go}
                className="group cursor-pointer outline-none"
              >
                {by === 'province' ? (
                  <path d={provinceOutlines[place.name]} className={fill} />
                ) : (
                  <>
                    <circle cx={x} cy={y} r={1.5 * radius * unit} className="fill-transparent" />
                    <circle cx={x} cy={y} r={radius * unit} className="fill-surface" />
                    <circle cx={x} cy={y} r={radius * unit} className={fill} />
                  </>
                )}
                <Edge place={place} isShown={place.key === shown} by={by} x={x} y={y} unit={unit} />
              </g>
            )
          })}
        </CountryMap>
      </div>
      <div className="space-y-4">
        <Legend
          scale={scale}
          by={by}
          classes={[
            ...drawn.map(({ place }) => classOf(measured(place, measure), scale)),
            ...(by === 'province' ? Array<PlaceClass>(provinces - drawn.length).fill('none') : []),
          ]}
        />
        <div className="min-h-36 rounded-md bg-sunken p-3" aria-live="off">
          {pointed ? (
            <Said place={pointed} measure={measure} />
          ) : (
            <p className="text-ink-soft">
              {`Touchez ou survolez ${by === 'market' ? 'un marché' : 'une province'}, ou allez-y avec la touche Tab puis les flèches\u00a0: ses chiffres s’affichent ici.`}
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

type EdgeProps = {
  place: Place
  isShown: boolean
  by: 'market' | 'province'
  x: number
  y: number
  unit: number
}

/** The outline of a place, thick when it is hovered or focused. */
function Edge({ place, isShown, by, x, y, unit }: EdgeProps) {
  const look = `fill-none group-focus-visible:stroke-river ${isShown ? 'stroke-ink' : by === 'market' ? 'stroke-ink-soft' : 'stroke-line-strong'}`
  const strokeWidth = (isShown ? 3 : 1) * unit
  return by === 'province' ? (
    <path
      d={provinceOutlines[place.name]}
      className={look}
      strokeWidth={strokeWidth}
      strokeLinejoin="round"
    />
  ) : (
    <circle cx={x} cy={y} r={radius * unit} className={look} strokeWidth={strokeWidth} />
  )
}

type LegendProps = { scale: Scale; by: 'market' | 'province'; classes: readonly PlaceClass[] }

/** Shows the classes present on the map, with the number of places in each. */
function Legend({ scale, by, classes }: LegendProps) {
  const counts = groupBy(classes, (each) => each)
  return (
    <ul data-legend className="space-y-1.5 text-sm" aria-label="Légende">
      {legendOfScale(scale, by)
        .filter(({ place }) => counts.has(place))
        .map(({ place, words }) => (
          <li key={place} className="flex items-center gap-2">
            <span
              className={`size-4 shrink-0 border ${by === 'market' ? 'rounded-full border-ink-soft' : 'border-line-strong'} ${colourOf(place, scale.measure).background}`}
              aria-hidden
            />
            {`${words} (${counts.get(place)?.length})`}
          </li>
        ))}
    </ul>
  )
}

function Said({ place, measure }: { place: Place; measure: MapMeasure }) {
  const weakness = weaknessOf(place, measure)
  const look = (of: MapMeasure) => (measured(place, of).isFaint ? 'text-ink-soft' : 'font-medium')
  return (
    <>
      <p className="font-semibold">{place.href ? linkWithin(place.href, place.name) : place.name}</p>
      <p className="text-ink-soft">{place.detail}</p>
      <p className="mt-2">
        {place.level !== null && <span className={`block ${look('level')}`}>{levelText(place)}</span>}
        <span className={`block ${look('change')}`}>{changeText(place)}</span>
      </p>
      <p className="mt-2 text-xs text-ink-soft">
        {place.rowsHref && place.prices > 0 ? linkInText(place.rowsHref, basisOf(place)) : basisOf(place)}
        {weakness && place.prices > 0 && `. Grisé\u00a0: ${weakness}`}
      </p>
    </>
  )
}
