import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Renders a name in a chart as a link to the rows behind it, without a page load. */
export function linkWithin(href: string, children: ReactNode) {
  return link(href, children, 'hover:underline')
}

/** Renders a link within a text: always underlined, to be visible among other words. */
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
