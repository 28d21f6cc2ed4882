import type { ReactNode } from 'react'

/** Metadata of a view; its `head` export makes it from the view's props. */
export type DocumentHead = {
  title: string
  description: string
  /** The address for search engines: the page's own path, when other addresses show the same page. */
  canonicalPath?: string
  isIndexed?: boolean
  /** Picture for link previews, 1200 × 630 px. */
  picturePath?: string
  /** Script of the view: `not-found` for `not-found.enhance.ts`; or several. */
  enhancement?: string | readonly string[]
  /** Structured data (schema.org) for search engines. */
  data?: object
}

export type DocumentAssets = { style: string; scripts: Record<string, string> }

type DocumentProps = {
  head: DocumentHead
  assets: DocumentAssets
  theme?: 'light' | 'dark' | undefined
  /** Public origin of the site, without a trailing slash. */
  origin?: string | undefined
  children: ReactNode
}

/** The HTML document around a view. Its style is inside the document, so that nothing else delays the first rendering. */
export function Document({ head, assets, theme, origin = '', children }: DocumentProps) {
  const { title, description, canonicalPath, enhancement = [] } = head
  const scripts = [enhancement].flat().flatMap((name) => assets.scripts[name] ?? [])
  const address = canonicalPath && origin + canonicalPath
  return (
    <html lang="fr" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0c131d" media="(prefers-color-scheme: dark)" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {head.isIndexed === false && <meta name="robots" content="noindex" />}
        {address && (
          <>
            <link rel="canonical" href={address} />
            <meta property="og:type" content="website" />
            <meta property="og:site_name" content="Ntalo" />
            <meta property="og:locale" content="fr_CD" />
            <meta property="og:title" content={title} />
            <meta property="og:description" content={description} />
            <meta property="og:url" content={address} />
            <meta property="og:image" content={`${origin}${head.picturePath ?? '/partage.png'}`} />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Inline tag="style" text={assets.style} />
        {head.data && <Inline tag="script" type="application/ld+json" text={asScriptText(head.data)} />}
        {scripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}

/** Inserts text without escaping: React would write entities, which have no meaning in a style or script. */
function Inline({ tag: Tag, text, type }: { tag: 'style' | 'script'; text: string; type?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, and data whose « < » is escaped.
  return <Tag type={type} dangerouslySetInnerHTML={{ __html: text }} />
}

function asScriptText(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
