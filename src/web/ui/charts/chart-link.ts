import type { ReactNode } from 'react'

/** How a name of a chart leads to the rows behind it: the browser program gives its own, without a new page. */
export type RenderLink = (href: string, children: ReactNode) => ReactNode
