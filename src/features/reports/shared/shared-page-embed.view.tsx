import { BulletinBody } from '#features/reports/bulletin-body.view.tsx'
import { ageOf, type SharedPageProps } from '#features/reports/shared/shared-page.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'

export function head({ content }: SharedPageProps): DocumentHead {
  return {
    title: `${content.title} · Ntalo`,
    description: 'Prix des marchés de la RD Congo.',
    isIndexed: false,
    enhancement: 'frame-height',
  }
}

/** Same as `SharedPageView`, inside a frame of another site. */
export function SharedPageEmbedView({ content, isFrozen, token }: SharedPageProps) {
  return (
    <main className="bg-surface p-4 text-ink">
      <BulletinBody content={content} level={1} />
      <p className="mt-2 text-sm text-ink-soft">
        {`${ageOf({ content, isFrozen })} `}
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
