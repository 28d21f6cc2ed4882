import type { ReactNode } from 'react'

/** A link within a text. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="text-river underline">
      {children}
    </a>
  )
}
