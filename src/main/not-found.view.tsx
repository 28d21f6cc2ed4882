import type { Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

type TextProps = {
  /** Previous page, when it was on this site, so that the link works without a script; the home page when absent. */
  previousUrl?: string | undefined
  onBack?: () => void
}

type NotFoundProps = Pick<TextProps, 'previousUrl'> & { site: Site; isDemonstration: boolean }

export function head(): DocumentHead {
  return {
    title: 'Page non trouvée · Ntalo',
    description: 'Cette page n’existe pas ou n’existe plus.',
    isIndexed: false,
    enhancement: ['public-site', 'not-found'],
  }
}

export function NotFoundView({ site, isDemonstration, previousUrl }: NotFoundProps) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-6xl px-4 py-16 md:px-8 md:py-24">
        <NotFoundText previousUrl={previousUrl} />
      </div>
    </PublicLayout>
  )
}

/** The text of every « not found » page. */
export function NotFoundText({ previousUrl, onBack }: TextProps) {
  return (
    <div>
      <p className="text-2xl font-semibold text-river">404</p>
      <h1 className="mt-2 text-xl font-semibold">{'Oups\u202f! Page non trouvée'}</h1>
      <p className="mt-3 text-base text-ink-soft">
        Cette adresse ne mène nulle part&nbsp;: la page a pu être déplacée, ou le lien est incomplet.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <a href="/" className={buttonClass('primary')}>
          Retour à l’accueil
        </a>
        {onBack ? (
          <button type="button" className={buttonClass()} onClick={onBack}>
            Page précédente
          </button>
        ) : (
          <a href={previousUrl ?? '/'} className={buttonClass()} data-back>
            Page précédente
          </a>
        )}
      </div>
      <p className="mt-8 text-ink-soft">
        {'Un lien de Ntalo vous a mené ici\u202f? '}
        <a href="/contact" className="text-river underline">
          Écrivez-nous
        </a>
      </p>
    </div>
  )
}
