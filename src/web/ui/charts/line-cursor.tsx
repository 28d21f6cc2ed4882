import { type KeyboardEvent, type PointerEvent, use, useState } from 'react'
import { formatCount, formatDate } from '#web/format.ts'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { dayText } from '#web/ui/charts/day-axis.ts'
import { type LineData, pointOn } from '#web/ui/charts/line-data.ts'
import type { LineLayout } from '#web/ui/charts/line-layout.ts'
import type { LinePoint } from '#web/ui/charts/segments.ts'
import { backgrounds } from '#web/ui/charts/series-colours.ts'

type LineCursorProps = {
  title: string
  layout: LineLayout
  data: LineData
  write: (value: number) => string
  beforeDay: string
}

type Read = { key: string; label: string; colour: number; point: LinePoint | undefined }

/**
 * Shows the values of the day under the mouse, the finger or the arrow keys. Separate from the drawing, to avoid
 * rendering it again.
 */
export function LineCursor({ title, layout, data, write, beforeDay }: LineCursorProps) {
  const [index, setIndex] = useState<number | null>(null)
  const { days, lines } = data
  const last = days.length - 1
  const current = Math.min(index ?? last, last)
  const day = days[current] ?? 0
  const named = beforeDay + formatDate(dayText(day))
  const read = lines.map(
    (line): Read => ({ key: line.key, label: line.label, colour: line.colour, point: pointOn(line, day) }),
  )
  const sentence = read
    .flatMap(({ label, point }) =>
      point ? [`${lines.length > 1 ? `${label} : ` : ''}${write(point.value ?? 0)}`] : [],
    )
    .join(', ')

  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * layout.width
    setIndex(nearest(days, layout, x))
  }
  const step = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      PageUp: current - 30,
      PageDown: current + 30,
      Home: 0,
      End: last,
    }
    if (event.key === 'Escape') setIndex(null)
    const goal = steps[event.key]
    if (goal === undefined) return
    event.preventDefault()
    setIndex(Math.max(0, Math.min(last, goal)))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${title}, jour lu`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={`${named} : ${sentence}`}
      className="absolute inset-0 touch-pan-y rounded-md outline-offset-4"
      onPointerMove={follow}
      onPointerDown={follow}
      // After a tap, the values remain readable when the finger is lifted; a scroll gesture cancels the reading.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setIndex(null)}
      onPointerCancel={() => setIndex(null)}
      onKeyDown={step}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && setIndex(current)}
      onBlur={() => setIndex(null)}
    >
      {index !== null && <Reading layout={layout} day={day} named={named} read={read} write={write} />}
    </div>
  )
}

type ReadingProps = Pick<LineCursorProps, 'layout' | 'write'> & {
  day: number
  named: string
  read: readonly Read[]
}

function Reading({ layout, day, named, read, write }: ReadingProps) {
  const words = use(ChartWordsContext)
  const x = layout.x(day)
  const toTheLeft = x > layout.width / 2
  // On a phone there is no space beside the finger: the values are shown over the drawing.
  const narrow = layout.width < 480
  const place = narrow
    ? `top-6 -translate-y-full ${toTheLeft ? 'left-0' : 'right-0'}`
    : `top-2 ${toTheLeft ? '-translate-x-full' : ''}`
  return (
    <div className="pointer-events-none absolute inset-0">
      <div
        className="absolute top-0 w-px bg-line-strong"
        style={{ left: x, top: layout.top - 8, height: layout.bottom - layout.top + 8 }}
      />
      {read.map(
        ({ key, point, colour }) =>
          point && (
            <div
              key={key}
              className={`absolute size-3 -translate-1/2 rounded-full border-2 border-surface ${backgrounds[colour]}`}
              style={{ left: x, top: layout.y(point.value ?? 0) }}
            />
          ),
      )}
      <div
        className={`absolute w-max max-w-full rounded-md border border-line bg-surface px-3 py-2 text-xs shadow-float ${place}`}
        style={narrow ? undefined : { left: toTheLeft ? x - 10 : x + 10 }}
      >
        <p className="font-medium whitespace-nowrap text-ink-soft">{named}</p>
        {read.map(({ key, label, point, colour }) => (
          <p key={key} className="mt-1 flex items-baseline gap-2 whitespace-nowrap">
            <span className={`size-2 shrink-0 rounded-full ${backgrounds[colour]}`} />
            {read.length > 1 && <span className="min-w-0 flex-1 truncate">{label}</span>}
            <span className="text-sm font-semibold">{point ? write(point.value ?? 0) : '—'}</span>
            {point?.count !== undefined && (
              <span className="text-ink-soft">{formatCount(point.count, words.one, words.many)}</span>
            )}
            {point && (point.note ?? (point.isProvisional && 'estimé')) && (
              <span className="text-ink-soft">{point.note ?? 'estimé'}</span>
            )}
          </p>
        ))}
      </div>
    </div>
  )
}

/** Returns the index of the day nearest to a pixel, by binary search, because there may be ten thousand days. */
function nearest(days: readonly number[], layout: LineLayout, x: number): number {
  let [low, high] = [0, days.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (layout.x(days[middle]!) < x) low = middle
    else high = middle
  }
  return Math.abs(layout.x(days[low] ?? 0) - x) <= Math.abs(layout.x(days[high] ?? 0) - x) ? low : high
}
