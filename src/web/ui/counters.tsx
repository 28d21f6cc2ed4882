import { type CSSProperties, isValidElement, type ReactNode } from 'react'
import { dimmable, dimmed, Skeleton } from '#web/ui/skeleton.tsx'

export type Counter = {
  key: string
  label: string
  /** The figure, already formatted; of an array, each element stands on a line of its own. */
  value: ReactNode
  unit?: string
  /** Change of the count, in words. */
  change?: string
  /** Basis of the figure: « 12 480 relevés, 18 marchés »; while loading, a text of similar length. */
  basis?: ReactNode
  /** An InfoPopover with the definition. */
  info?: ReactNode
  /** Based on few or old observations: grey. */
  isFaint?: boolean
}

type CountersProps = { label?: string; items: readonly Counter[]; loading?: boolean; refetching?: boolean }

/** A row of at most four figures. */
export function Counters({ label = 'Chiffres clés', items, loading, refetching }: CountersProps) {
  const four = items.slice(0, 4)
  return (
    <section
      aria-label={label}
      aria-busy={loading || refetching || undefined}
      className={`grid gap-px overflow-hidden rounded-md border border-line bg-line ${dimmable} ${columns[four.length]} ${refetching ? dimmed : ''}`}
    >
      {four.map((item) => (
        <div key={item.key} className="@container flex min-w-0 flex-col bg-surface px-4 py-4 sm:px-5">
          <div className="flex min-h-6 items-center gap-1 leading-5 text-ink-soft">
            <p className="min-w-0">{item.label}</p>
            {item.info}
          </div>
          {loading ? (
            <Skeleton className="my-1 h-5 w-24 sm:h-6.5" />
          ) : (
            <p
              style={{ '--ems': emsOf(item.value) } as CSSProperties}
              className={`flex flex-wrap items-baseline gap-x-1.5 text-[length:clamp(0.75rem,100cqi/var(--ems),1.25rem)] leading-7 font-semibold tracking-tight whitespace-nowrap sm:text-[length:clamp(0.75rem,100cqi/var(--ems),1.75rem)] sm:leading-8.5 ${item.isFaint ? 'text-ink-soft' : ''}`}
            >
              {item.value}
              {item.unit && (
                <span className="text-sm font-normal tracking-normal text-ink-soft">{item.unit}</span>
              )}
            </p>
          )}
          {item.change && (
            <div className="mt-1 min-h-5 text-xs text-ink-soft">
              {loading ? <Skeleton className="w-fit">{item.change}</Skeleton> : item.change}
            </div>
          )}
          {item.basis && (
            <div className="mt-1 min-h-4 text-xs text-ink-soft">
              {loading ? <Skeleton className="w-fit">{item.basis}</Skeleton> : item.basis}
            </div>
          )}
        </div>
      ))}
    </section>
  )
}

/** Estimates the width of a figure in em, so that it stays on one line and gets smaller letters in a narrow place. */
function emsOf(value: ReactNode): number {
  if (Array.isArray(value)) return Math.max(1, ...value.map(emsOf))
  const widths = [...textOf(value)].map((letter) => (/\d/.test(letter) ? 0.7 : /\s/.test(letter) ? 0.3 : 0.6))
  return widths.reduce((sum, width) => sum + width, 1)
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children)
  return typeof node === 'string' ? node : ''
}

const columns = [
  '',
  '',
  'grid-cols-2',
  'grid-cols-2 md:grid-cols-3 max-md:*:last:col-span-2',
  'grid-cols-2 lg:grid-cols-4',
]
