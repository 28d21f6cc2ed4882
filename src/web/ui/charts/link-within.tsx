import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A name of a chart that leads to the rows behind it, without leaving the program. */
export function linkWithin(href: string, children: ReactNode) {
  const [to, query] = href.split('?')
  return (
    <Link to={to ?? href} search={Object.fromEntries(new URLSearchParams(query))} className="hover:underline">
      {children}
    </Link>
  )
}
