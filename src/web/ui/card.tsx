import type { ReactNode } from 'react'

type CardProps = {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  padded?: boolean
  className?: string
  children?: ReactNode
}

/** A bordered surface, with an optional heading row and footer. `padded={false}` lets a table reach the edges. */
export function Card({
  title,
  description,
  actions,
  footer,
  padded = true,
  className = '',
  children,
}: CardProps) {
  return (
    <section className={`flex min-w-0 flex-col rounded-md border border-line bg-surface ${className}`}>
      {(title || actions) && (
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-48">
            {title && <h2 className="text-base font-semibold">{title}</h2>}
            {description && <p className="mt-0.5 max-w-prose text-sm text-ink-soft">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={`grow ${padded ? (children ? 'p-4 sm:px-5' : 'pb-4') : title ? 'pt-4' : ''}`}>
        {children}
      </div>
      {footer && (
        <footer className="border-t border-line px-4 py-3 text-sm text-ink-soft sm:px-5">{footer}</footer>
      )}
    </section>
  )
}

export type Fact = { label: string; value: ReactNode }

/** Names and values of one row, for detail screens and dialogs. */
export function Facts({ items, columns = 1 }: { items: Fact[]; columns?: 1 | 2 }) {
  return (
    <dl className={`grid gap-x-8 ${columns === 2 ? 'md:grid-cols-2' : ''}`}>
      {items.map((item) => (
        <div
          key={item.label}
          className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 border-b border-line py-2 last:border-b-0"
        >
          <dt className="text-ink-soft">{item.label}</dt>
          <dd className="min-w-0 text-right font-medium wrap-anywhere">{item.value}</dd>
        </div>
      ))}
    </dl>
  )
}
