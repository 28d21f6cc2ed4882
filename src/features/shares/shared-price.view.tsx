import { lastText, SharedPrice, type SharedProps, subjectOf } from '#features/shares/shared-figures.view.tsx'
import type { Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

type SharedPriceProps = SharedProps & { site: Site; isDemonstration: boolean }

export function head({ figures, token }: SharedPriceProps): DocumentHead {
  return {
    title: `${subjectOf(figures)}\u00a0: ${lastText(figures)} · Ntalo`,
    enhancement: 'public-site',
    description: `${lastText(figures)}, son évolution et sa source.`,
    canonicalPath: `/p/${token}`,
    picturePath: `/p/${token}/image.png`,
    isIndexed: false,
  }
}

/** The public page of a shared price: works without an account and without a script. */
export function SharedPriceView({ figures, isFrozen, site, isDemonstration }: SharedPriceProps) {
  const { product, market } = figures
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-3xl px-4 py-8 md:px-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{subjectOf(figures)}</h1>
        <SharedPrice figures={figures} isFrozen={isFrozen} />
        <p className="mt-2 text-sm">
          <a href="/methode" className="inline-block py-1 text-river underline">
            Comment ces chiffres sont calculés
          </a>
        </p>
        <p className="mt-6 flex flex-wrap gap-3">
          <a href={`/series/${product.id}/${market.id}`} className={buttonClass('primary')}>
            Ce prix aujourd’hui
          </a>
          <a href={`/marches/${market.id}`} className={buttonClass()}>
            Les prix de ce marché
          </a>
        </p>
      </div>
    </PublicLayout>
  )
}
