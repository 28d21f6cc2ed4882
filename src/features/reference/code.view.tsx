import { createElement, Fragment } from 'react'

/** A block of code. Long lines wrap, so that nothing is hidden at the side. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <figure className="mt-2">
      <figcaption className="text-xs text-ink-soft">{label}</figcaption>
      <pre className="mt-1 rounded-md border border-line bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        <code translate="no">{text}</code>
      </pre>
    </figure>
  )
}

/** A sentence whose parts between backticks are code. */
export function WithCode({ text }: { text: string }) {
  const parts = text
    .split('`')
    .map((part, at) => (at % 2 === 0 ? part : createElement(InlineCode, null, part)))
  return createElement(Fragment, null, ...parts)
}

export function InlineCode({ children }: { children: string }) {
  return (
    <code className="rounded-sm bg-sunken px-1 font-mono text-[0.9em] wrap-anywhere" translate="no">
      {children}
    </code>
  )
}

/** The same request in several languages, one of them open; works without scripts. */
export function Snippets({
  of,
  snippets,
}: {
  of: string
  snippets: readonly { language: string; code: string }[]
}) {
  return (
    <div className="mt-3 divide-y divide-line rounded-md border border-line bg-surface">
      {snippets.map(({ language, code }, at) => (
        <details key={language} name={of} open={at === 0} className="px-3">
          <summary className="cursor-pointer py-2 text-sm font-medium">{language}</summary>
          <pre className="mb-3 rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
            <code translate="no">{code}</code>
          </pre>
        </details>
      ))}
    </div>
  )
}
