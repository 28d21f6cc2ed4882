import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Logo } from '#web/ui/logo.view.tsx'

type NotFoundProps = {
  /** Where the visitor came from, when it was a page of ours: works without a script. Home without it. */
  previousUrl?: string
  onBack?: () => void
}

export function head(): DocumentHead {
  return {
    title: 'Page non trouvée · Ntalo',
    description: 'Cette page n’existe pas ou n’existe plus.',
    isIndexed: false,
    enhancement: 'not-found',
  }
}

export function NotFoundView({ previousUrl, onBack }: NotFoundProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-paper text-ink">
      <header className="border-b border-line px-4 py-3 md:px-8">
        <a href="/" className="inline-flex" aria-label="Ntalo, accueil">
          <Logo />
        </a>
      </header>
      <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 py-16">
        <NotFoundText previousUrl={previousUrl} onBack={onBack} />
      </main>
    </div>
  )
}

/** What is said of an address that leads nowhere, wherever it is said. */
export function NotFoundText({ previousUrl, onBack }: NotFoundProps) {
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
