import type { ReactNode } from 'react'

/** What a view says about itself; its `head` export makes one from its props. */
export type DocumentHead = {
  title: string
  description: string
  /** The address that search engines should keep, when several lead here. */
  canonicalUrl?: string
  isIndexed?: boolean
  /** The view's own small script: `not-found` for `not-found.enhance.ts`. */
  enhancement?: string
}

export type DocumentAssets = { styles: string[]; scripts: Record<string, string> }

type DocumentProps = {
  head: DocumentHead
  assets: DocumentAssets
  theme?: 'light' | 'dark' | undefined
  children: ReactNode
}

/** The whole page around a view: nothing inline, so that the content security policy can stay strict. */
export function Document({ head, assets, theme, children }: DocumentProps) {
  const script = head.enhancement && assets.scripts[head.enhancement]
  return (
    <html lang="fr" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0c131d" media="(prefers-color-scheme: dark)" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        {head.isIndexed === false && <meta name="robots" content="noindex" />}
        {head.canonicalUrl && <link rel="canonical" href={head.canonicalUrl} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {script && <script type="module" src={script} />}
      </head>
      <body>{children}</body>
    </html>
  )
}
