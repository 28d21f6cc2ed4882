import { BulletinBody } from '#features/reports/bulletin-body.view.tsx'
import type { DrawnReport } from '#shared/drawing.ts'
import type { Site } from '#shared/site.ts'
import { formatDateTime } from '#web/format.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

type BulletinProps = {
  title: string
  madeAt: string
  content: DrawnReport
  token: string
  site: Site
  isDemonstration: boolean
}

export function head({ content, madeAt, token }: BulletinProps): DocumentHead {
  return {
    title: `${content.title} · Ntalo`,
    enhancement: 'public-site',
    description: `Bulletin de prix des marchés de la RD Congo, établi le ${formatDateTime(madeAt)}.`,
    canonicalPath: `/bulletins/${token}`,
    isIndexed: false,
  }
}

/** An issue of a report as it was made, readable without an account and without scripts. */
export function BulletinView({ content, madeAt, token, site, isDemonstration }: BulletinProps) {
  const file = (format: string) => `/api/reports/issues/${token}/file?fileFormat=${format}`
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-4xl px-4 py-6 md:px-8 md:py-10">
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <p className="grow basis-56 text-sm text-ink-soft">
            {`Chiffres figés le ${formatDateTime(madeAt)}.`}
          </p>
          <a href={file('pdf')} className={buttonClass()}>
            PDF
          </a>
          <a href={file('xlsx')} className={buttonClass()}>
            XLSX
          </a>
        </div>
        <BulletinBody content={content} level={1} />
      </div>
    </PublicLayout>
  )
}
