import { BulletinBody } from '#features/reports/bulletin-body.view.tsx'
import type { DrawnReport } from '#shared/drawing.ts'
import type { Site } from '#shared/site.ts'
import { formatDateTime } from '#web/format.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

export type SharedPageProps = { content: DrawnReport; isFrozen: boolean; token: string }

export function head({ content, token }: SharedPageProps): DocumentHead {
  return {
    title: `${content.title} · Ntalo`,
    enhancement: 'public-site',
    description: 'Prix des marchés de la RD Congo\u00a0: les figures, leur source et leur méthode.',
    canonicalPath: `/p/${token}`,
    picturePath: `/p/${token}/image.png`,
    isIndexed: false,
  }
}

/** A shared page with charts, readable without an account and without scripts. */
export function SharedPageView({
  content,
  isFrozen,
  site,
  isDemonstration,
}: SharedPageProps & { site: Site; isDemonstration: boolean }) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-4xl px-4 py-6 md:px-8 md:py-10">
        <p className="mb-4 text-sm text-ink-soft">{ageOf({ content, isFrozen })}</p>
        <BulletinBody content={content} level={1} />
      </div>
    </PublicLayout>
  )
}

/** Returns whether the figures are updated or frozen at an instant. */
export function ageOf({
  content: { madeAt },
  isFrozen,
}: Pick<SharedPageProps, 'content' | 'isFrozen'>): string {
  return isFrozen && madeAt
    ? `Chiffres figés le ${formatDateTime(madeAt)}.`
    : 'Les chiffres suivent les derniers relevés.'
}
