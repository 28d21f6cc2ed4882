import { createHash } from 'node:crypto'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import type { MailContent } from '#shared/mail.ts'

export type PageOptions = {
  theme?: 'light' | 'dark' | undefined
  /** Public address without a final slash, for absolute links that other sites store. */
  origin?: string | undefined
}

/** The built pages and files of the site. */
export type PageViews = {
  /** Renders a complete HTML document from `<name>.view.tsx`. */
  render: (name: string, props?: object, options?: PageOptions) => string
  /** HTML page that starts the browser program. */
  shell: string
  /** HTML pages of separate programs, by name. */
  programs?: Readonly<Record<string, string>>
  /** Hash of the inline style of every rendered page, for the content security policy. */
  styleHash: string
  /** Folder of static files; files in its `assets/` never change under the same name. */
  browserDir: string
  /** Import address of the built src/main/views.tsx. */
  bundle: string
}

export type Views = PageViews & {
  /** Renders the HTML of a mail. */
  renderMail: (content: MailContent) => string
}

type Assets = { style: string; scripts: Record<string, string> }

type ViewsBundle = {
  renderMail: (content: MailContent) => string
  renderDocument: (name: string, props: object, page: PageOptions & { assets: Assets }) => string
}

const manifest = z.record(z.string(), z.object({ file: z.string() }))

/** Loads the build in `dist/current`; the link is resolved once, so that a later build does not affect this process. */
export async function loadViews(distDir: string): Promise<Views> {
  const directory = await realpath(join(distDir, 'current'))
  const browserDir = join(directory, 'browser')
  const bundleAddress = pathToFileURL(join(directory, 'views', 'views.js')).href
  const [assets, shell, programs, bundle] = await Promise.all([
    readAssets(directory, browserDir),
    readFile(join(browserDir, 'index.html'), 'utf8'),
    readPrograms(browserDir),
    // TypeScript does not know the built module.
    import(bundleAddress) as Promise<ViewsBundle>,
  ])
  return {
    render: (name, props = {}, options = {}) => bundle.renderDocument(name, props, { assets, ...options }),
    renderMail: bundle.renderMail,
    shell,
    programs,
    styleHash: `sha256-${createHash('sha256').update(assets.style).digest('base64')}`,
    browserDir,
    bundle: bundleAddress,
  }
}

async function readPrograms(browserDir: string): Promise<Record<string, string>> {
  const names = (await readdir(browserDir)).filter((name) => name.endsWith('.html') && name !== 'index.html')
  const pages = names.map(
    async (name) => [basename(name, '.html'), await readFile(join(browserDir, name), 'utf8')] as const,
  )
  return Object.fromEntries(await Promise.all(pages))
}

async function readAssets(directory: string, browserDir: string): Promise<Assets> {
  const chunks = manifest.parse(JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')))
  const style = chunks['src/web/views.css']
  if (!style) throw new Error('the build has no style for views')
  const scripts = Object.entries(chunks)
    .filter(([source]) => source.endsWith('.enhance.ts'))
    .map(([source, chunk]) => [basename(source, '.enhance.ts'), `/${chunk.file}`] as const)
  return {
    style: (await readFile(join(browserDir, style.file), 'utf8')).trim(),
    scripts: Object.fromEntries(scripts),
  }
}
