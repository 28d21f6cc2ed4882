import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Logo } from '#web/ui/logo.view.tsx'

const sentence =
  'Les prix des marchés de la République démocratique du Congo, relevés sur place, vérifiés et analysés.'

export function head(): DocumentHead {
  return { title: 'Ntalo\u00a0: les prix des marchés de la RDC', description: sentence }
}

export function HomeView() {
  return (
    <div className="flex min-h-dvh flex-col bg-paper text-ink">
      <header className="border-b border-line px-4 py-3 md:px-8">
        <Logo />
      </header>
      <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 py-16">
        <h1 className="text-2xl font-semibold">Ntalo</h1>
        <p className="mt-3 text-base text-ink-soft">{sentence}</p>
        <p className="mt-8">
          <a href="/auth/login" className={buttonClass('primary')}>
            Connexion
          </a>
        </p>
      </main>
    </div>
  )
}
