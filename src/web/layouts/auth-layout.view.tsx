import type { ReactNode } from 'react'
import { tagline } from '#shared/ntalo.ts'
import { Logo } from '#web/ui/logo.view.tsx'

type AuthLayoutProps = {
  title: string
  description?: ReactNode
  /** Under the card: « Pas encore de compte ? ». */
  footer?: ReactNode
  children: ReactNode
}

/** Layout of sign-in, registration and forgotten password: one card, and on wide screens a decorative line. */
export function AuthLayout({ title, description, footer, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="px-4 py-6 sm:px-8">
        <header>
          <a href="/" className="inline-block rounded-md py-2" aria-label="Ntalo, accueil">
            <Logo />
          </a>
        </header>
        {/* Not vertically centred: on a slow network the card would move while it loads. */}
        <main className="mx-auto w-full max-w-md py-8 sm:py-[9vh]">
          <div className="rounded-md border border-line bg-surface p-5 sm:p-8">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {description && <p className="mt-2 text-ink-soft">{description}</p>}
            <div className="mt-6">{children}</div>
          </div>
          {footer && <div className="mt-5 text-center text-ink-soft">{footer}</div>}
        </main>
      </div>
      <Motif />
    </div>
  )
}

/** Decoration without axis or figures, so that it is not mistaken for data. */
function Motif() {
  return (
    <aside className="relative hidden overflow-hidden bg-river-soft lg:block">
      <svg
        viewBox="0 0 600 800"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
        aria-hidden="true"
      >
        <g className="stroke-river opacity-12">
          {[120, 240, 360, 480, 600, 720].map((y) => (
            <path key={y} d={`M0 ${y}H600`} />
          ))}
        </g>
        <path
          className="fill-river opacity-10"
          d="M0 560 60 540 120 552 180 500 240 510 300 446 360 462 420 376 480 392 540 316V800H0z"
        />
        <path
          className="stroke-ochre-fill"
          fill="none"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeDasharray="2 6"
          strokeLinecap="round"
          d="M0 470 75 478 150 452 225 466 300 426 375 440 450 418 540 430"
        />
        <path
          className="stroke-river"
          fill="none"
          strokeWidth="3"
          strokeLinejoin="round"
          d="M0 560 60 540 120 552 180 500 240 510 300 446 360 462 420 376 480 392 540 316"
        />
        <circle className="fill-surface stroke-river" cx="540" cy="316" r="8" strokeWidth="4" />
      </svg>
      <p className="absolute bottom-14 left-12 max-w-md text-xl font-semibold tracking-tight text-balance">
        {tagline}
      </p>
    </aside>
  )
}
