import { lastText, SharedPrice, type SharedProps, subjectOf } from '#features/shares/shared-figures.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'

export function head({ figures }: SharedProps): DocumentHead {
  return {
    title: `${subjectOf(figures)} · Ntalo`,
    description: `${lastText(figures)}, son évolution et sa source.`,
    isIndexed: false,
    enhancement: 'frame-height',
  }
}

/** Shows the same inside a frame of another site. */
export function SharedPriceEmbedView({ figures, isFrozen, token }: SharedProps) {
  return (
    <main className="bg-surface p-4 text-ink">
      <h1 className="text-base font-semibold wrap-anywhere">{subjectOf(figures)}</h1>
      <SharedPrice figures={figures} isFrozen={isFrozen} />
      <p className="text-sm">
        <a
          href={`/p/${token}`}
          target="_blank"
          rel="noopener"
          className="inline-block py-1 text-river underline"
        >
          Ouvrir sur Ntalo
        </a>
      </p>
    </main>
  )
}
