import { truncate } from '#web/format.ts'

export type BarRow = {
  key: string | number
  name: string
  /** Based on too few observations: grey. */
  isFaint?: boolean
  /**
   * Bars from zero; `text` is shown at the end of a bar, and `label` is read before it when colours distinguish the
   * bars.
   */
  bars: readonly { value: number; text: string; label?: string; look?: 'strong' | 'quiet' }[]
}

type BarListProps = {
  rows: readonly BarRow[]
  /** Maximum number of letters of a name beside its bar; the full name remains in its title. */
  mostLetters?: number
}

/** Bars beside their names, or under them when a row has several; as wide as their parent. They start at zero. */
export function BarList({ rows, mostLetters }: BarListProps) {
  const isBeside = rows.every(({ bars }) => bars.length === 1)
  const most = Math.max(1e-9, ...rows.flatMap(({ bars }) => bars.map(({ value }) => value)))
  return (
    <ul className="space-y-3">
      {rows.map(({ key, name, isFaint, bars }) => (
        <li
          key={key}
          className={`${isBeside ? 'grid grid-cols-[7.5rem_1fr] items-center gap-x-3' : ''} ${isFaint ? 'text-grey grayscale' : ''}`}
        >
          <p className="mb-1 truncate text-sm" title={name}>
            <span aria-hidden>{isBeside ? truncate(name, mostLetters) : name}</span>
            <span className="sr-only">{name}</span>
          </p>
          {bars.map(({ value, text, label, look = 'strong' }) => (
            <p key={text + look} className="mb-1 grid grid-cols-[1fr_auto] items-center gap-3">
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                className={look === 'strong' ? 'h-3 w-full' : 'h-2 w-full'}
                aria-hidden="true"
                focusable="false"
              >
                <rect width="100" height="4" className="fill-sunken" />
                <rect
                  width={Math.round((1000 * value) / most) / 10}
                  height="4"
                  className={look === 'strong' ? 'fill-chart-1' : 'fill-line-strong'}
                />
              </svg>
              <span
                className={`${isBeside ? 'min-w-6' : 'min-w-16'} text-right text-sm ${look === 'strong' ? 'font-semibold' : 'text-ink-soft'}`}
              >
                {label && <span className="sr-only">{`${label}\u00a0: `}</span>}
                {text}
              </span>
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
