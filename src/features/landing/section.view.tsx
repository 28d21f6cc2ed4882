import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { methodEdition } from '#shared/method.ts'

type SectionProps = {
  id: string
  title: string
  /** One sentence under the title. */
  lead?: ReactNode
  tone?: 'paper' | 'surface'
  /** Collapsed on a phone: only the title shows until it is tapped. */
  isFolded?: boolean
  children: ReactNode
}

/** A section of a public page, the target of a link in the header. */
export function PublicSection({ id, title, lead, tone = 'paper', isFolded = false, children }: SectionProps) {
  const heading = (
    <h2
      id={`${id}-title`}
      className={`font-semibold tracking-tight md:text-xl ${isFolded ? 'text-base' : 'text-lg'}`}
    >
      {title}
    </h2>
  )
  const content = (
    <>
      {lead && (
        <p className={`mt-2 max-w-2xl text-ink-soft md:text-base ${isFolded ? '' : 'max-md:hidden'}`}>
          {lead}
        </p>
      )}
      <div className="mt-3 md:mt-8">{children}</div>
    </>
  )
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`border-b border-line ${tone === 'surface' ? 'bg-surface' : 'bg-paper'}`}
    >
      <div className={`mx-auto max-w-6xl px-4 md:px-8 md:py-16 ${isFolded ? '' : 'py-4'}`}>
        {isFolded ? (
          <FoldedOnPhone summary={heading}>
            <div className="max-md:pb-6">{content}</div>
          </FoldedOnPhone>
        ) : (
          <>
            {heading}
            {content}
          </>
        )}
      </div>
    </section>
  )
}

/** Collapsed on a phone; from 768 px its content always shows, and the summary looks like any heading. */
export function FoldedOnPhone({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details data-phone-fold className="group md:details-content:[content-visibility:visible]">
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 md:pointer-events-none md:block md:min-h-0 [&::-webkit-details-marker]:hidden">
        {summary}
        <ChevronDown className="size-5 shrink-0 text-ink-soft group-open:rotate-180 md:hidden" aria-hidden />
      </summary>
      {children}
    </details>
  )
}

type PanelProps = {
  title: string
  /** What the figures measure, with their unit and period. */
  measure?: ReactNode
  /** « Exemple »: the figures are invented. */
  isSample?: boolean
  /** The address of the full definition of the figures. */
  definition: string
  footer?: ReactNode
  /** Whether it is grey because its figures are old. */
  isFaint?: boolean
  className?: string
  children: ReactNode
}

/** A framed chart or list, with a description of its content and basis. */
export function FigurePanel({
  title,
  measure,
  isSample = false,
  isFaint = false,
  definition,
  footer,
  className = '',
  children,
}: PanelProps) {
  return (
    <figure
      className={`flex min-w-0 flex-col rounded-md border border-line bg-surface p-4 md:p-5 ${className}`}
    >
      <figcaption>
        <h3 className="flex flex-wrap items-center gap-2 text-base font-semibold">
          {title}
          {isSample && <SampleMark />}
        </h3>
        {measure && <p className="mt-0.5 text-sm text-ink-soft max-md:text-xs">{measure}</p>}
      </figcaption>
      <div className={`mt-3 flex flex-1 flex-col md:mt-4 ${isFaint ? 'grayscale' : ''}`}>{children}</div>
      <div className="mt-2 text-xs text-ink-soft md:mt-4">
        {footer}
        <Definition href={definition} of={title} />
      </div>
    </figure>
  )
}

/** Links to the full definition of a figure, with the edition of the method. */
export function Definition({ href, of }: { href: string; of: string }) {
  return (
    <p className="text-xs text-ink-soft">
      <a href={href} className="inline-flex min-h-6 items-center text-river underline">
        Définition
        <span className="sr-only">{`\u00a0: ${of}`}</span>
      </a>
      {`, ${methodEdition}`}
    </p>
  )
}

export function SampleMark() {
  return <span className="rounded-md bg-ochre-soft px-2 py-0.5 text-xs font-medium text-ochre">Exemple</span>
}

type FiguresProps = {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

/** Shows the same figures as a table that opens without a script. */
export function FiguresTable({ columns, rows }: FiguresProps) {
  return (
    <details>
      <summary className="py-1 text-river hover:underline">Voir les données</summary>
      <section
        className="mt-2 max-h-64 overflow-auto"
        aria-label="Données"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <table className="w-full">
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  className={`border-b border-line py-1.5 font-medium ${index ? 'text-right' : 'text-left'}`}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={cells.join()}>
                {cells.map((cell, index) => (
                  <td
                    key={columns[index]}
                    className={`border-b border-line py-1.5 ${index ? 'text-right' : 'text-left'}`}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
