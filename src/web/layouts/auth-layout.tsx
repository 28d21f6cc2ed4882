import type { ReactNode } from 'react'
import { Logo } from '#web/ui/logo.view.tsx'

type AuthLayoutProps = {
  title: string
  description?: ReactNode
  /** Under the card: « Pas encore de compte ? ». */
  footer?: ReactNode
  children: ReactNode
}

/** Sign-in, registration, forgotten password: one card, and on wide screens a quiet price line. */
export function AuthLayout({ title, description, footer, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="flex flex-col px-4 py-6 sm:px-8">
        <a href="/" className="self-start rounded-md py-2" aria-label="Ntalo, accueil">
          <Logo />
        </a>
        <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center py-8">
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

/** Decoration only: no axis, no figure, nothing that could be taken for data. */
function Motif() {
  return (
    <div className="relative hidden overflow-hidden border-l border-line bg-sunken lg:block">
      <svg
        viewBox="0 0 600 800"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
        aria-hidden="true"
      >
        <g className="stroke-line" strokeWidth="1">
          {[160, 280, 400, 520, 640].map((y) => (
            <path key={y} d={`M0 ${y}H600`} />
          ))}
        </g>
        <path
          className="fill-river-fill opacity-8"
          d="M0 610 60 590 120 604 180 548 240 560 300 492 360 510 420 420 480 436 540 356 600 330V800H0z"
        />
        <path
          className="stroke-river"
          fill="none"
          strokeWidth="2.5"
          strokeLinejoin="round"
          d="M0 610 60 590 120 604 180 548 240 560 300 492 360 510 420 420 480 436 540 356"
        />
        <circle className="fill-surface stroke-ochre-fill" cx="540" cy="356" r="8" strokeWidth="4" />
        <path
          className="stroke-line-strong opacity-60"
          fill="none"
          strokeWidth="2"
          strokeLinejoin="round"
          d="M0 520 75 528 150 500 225 515 300 470 375 486 450 462 525 474 600 452"
        />
      </svg>
      <p className="absolute bottom-14 left-12 max-w-sm text-lg font-semibold text-balance">
        Les prix des marchés de la RDC, relevés, vérifiés, expliqués.
      </p>
    </div>
  )
}
