import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A name of a chart that leads to the rows behind it, without leaving the program. */
export function linkWithin(href: string, children: ReactNode) {
  return link(href, children, 'hover:underline')
}

/** The same amid other words, from which it differs before it is pointed at. */
export function linkInText(href: string, children: ReactNode) {
  return link(href, children, 'underline decoration-line-strong underline-offset-2 hover:decoration-current')
}

function link(href: string, children: ReactNode, look: string) {
  const [to, query] = href.split('?')
  return (
    <Link to={to ?? href} search={Object.fromEntries(new URLSearchParams(query))} className={look}>
      {children}
    </Link>
  )
}
