import type { ReactNode } from 'react'

/** Renders a name in a chart as a link to the rows behind it; the browser program navigates without a page load. */
export type RenderLink = (href: string, children: ReactNode) => ReactNode
