import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { MailContent } from '#shared/mail.ts'
import { Document, type DocumentAssets, type DocumentHead } from '#web/layouts/document.view.tsx'
import { MailView } from '#web/layouts/mail.view.tsx'

type ViewModule = { head: (props: object) => DocumentHead; component: ComponentType<object> }

type Page = { assets: DocumentAssets; theme?: 'light' | 'dark' | undefined; origin?: string | undefined }

const views = new Map<string, ViewModule>()

for (const [path, module] of Object.entries(
  import.meta.glob<Record<string, unknown>>('../**/*.view.tsx', { eager: true }),
)) {
  // A view without a head is a part of other views, not a document.
  if (!('head' in module)) continue
  const name = path.replace(/^.*\//, '').replace('.view.tsx', '')
  const component = module[componentName(name)]
  if (!component) throw new Error(`${path} has a head but exports no ${componentName(name)}`)
  if (views.has(name)) throw new Error(`two views are called ${name}; one is ${path}`)
  // A glob import loses the types of the two exports.
  views.set(name, { head: module.head, component } as ViewModule)
}

/** Renders the view called `name` as a complete HTML document. */
export function renderDocument(name: string, props: object, page: Page): string {
  const view = views.get(name)
  if (!view) throw new Error(`no view is called ${name}; there are ${[...views.keys()].join(', ')}`)
  const { component: View, head } = view
  const markup = renderToStaticMarkup(
    <Document head={head(props)} {...page}>
      <View {...props} />
    </Document>,
  )
  return `<!doctype html>${markup}`
}

export { drawChart, drawMark } from '#web/ui/charts/draw-chart.tsx'

/** Renders a mail as HTML. */
export function renderMail(content: MailContent): string {
  return `<!doctype html>${renderToStaticMarkup(<MailView {...content} />)}`
}

function componentName(name: string): string {
  return `${name.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase())}View`
}
