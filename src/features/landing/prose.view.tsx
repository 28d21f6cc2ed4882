import type { ReactNode } from 'react'
import type { Site } from '#shared/site.ts'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

/** The props of a page of text. */
export type TextPageProps = { site: Site; isDemonstration: boolean }

type ProseProps = TextPageProps & { title: string; lead?: string; children: ReactNode }

/** Shows a page of text in one column with short lines. */
export function Prose({ site, isDemonstration, title, lead, children }: ProseProps) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <article className="mx-auto max-w-2xl px-4 py-8 text-base md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {lead && <p className="mt-3 text-ink-soft">{lead}</p>}
        {children}
      </article>
    </PublicLayout>
  )
}

type PartProps = { id?: string; title: string; children: ReactNode }

export function ProsePart({ id, title, children }: PartProps) {
  return (
    <section id={id} className="mt-8 space-y-3 [&_li]:ml-5 [&_li]:list-disc [&_ul]:space-y-1.5">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  )
}

/** Links to the parts of a page of text, given as pairs of an id and a title. */
export function ProseContents({ parts }: { parts: readonly (readonly [id: string, title: string])[] }) {
  return (
    <nav aria-label="Sommaire" className="mt-6 rounded-md border border-line bg-surface p-5">
      <ul className="grid gap-x-6 sm:grid-cols-2">
        {parts.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-block py-1 text-river hover:underline">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
