type LogoProps = { className?: string; markOnly?: boolean }

/**
 * The name and the mark: a tag whose hole is the last dot of a line chart. Without hooks, so that views can use
 * it.
 */
export function Logo({ className = '', markOnly = false }: LogoProps) {
  return (
    <span className={`inline-flex items-center gap-2 font-semibold tracking-tight text-ink ${className}`}>
      <LogoMark className="size-7 shrink-0" />
      {markOnly ? <span className="sr-only">Ntalo</span> : <span className="text-lg">Ntalo</span>}
    </span>
  )
}

/** The mark without the name. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" focusable="false">
      <path
        className="fill-river-fill"
        d="M4 9.5A3.5 3.5 0 0 1 7.5 6H19a4 4 0 0 1 2.9 1.250l6.7 7.100a2.4 2.4 0 0 1 0 3.300l-6.7 7.100A4 4 0 0 1 19 26H7.500A3.5 3.5 0 0 1 4 22.500z"
      />
      <path
        className="stroke-on-river"
        d="M7.5 20.500l4-4 3 2.5 5.4-5"
        fill="none"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle className="fill-surface stroke-ochre-fill" cx="22" cy="12.8" r="2.3" strokeWidth="1.6" />
    </svg>
  )
}
