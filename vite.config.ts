import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const template = 'src/main/index.html'
/** A program of its own for phones: no router, no list, its own worker. */
const fieldTemplate = 'src/main/collecte.html'
const viewStyles = 'src/web/views.css'
const output = process.env.BUILD_DIR ?? 'dist/manual'

// The small scripts of server-rendered pages: one file each, named after the view that they serve.
const enhancements = Object.fromEntries(
  globSync('src/**/*.enhance.ts').map((path) => [basename(path, '.enhance.ts'), path]),
)

/** A module that at least this many entries import is in a chunk that all pages load. */
const manyPages = 10

/**
 * Chunks of modules that several entries share: a page loads some 15 scripts instead of 80, and 5 % more bytes. A module
 * is in the first chunk whose condition it meets. The modules that it imports have at least its entries, so they are in
 * the same chunk or an earlier one: an entry never loads the chunk of another kind of page.
 */
const sharedChunks = [
  // What loads modules on demand, in every kind of page.
  { name: 'preload', test: /vite\/preload-helper|src\/web\/popovers\.ts/ },
  // The scripts of server-rendered pages: 5 kB in all.
  shared('enhancements', (entries) => entries.some((id) => id.endsWith('.enhance.ts'))),
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  shared('field', (entries) => entries.some((id) => id.endsWith(fieldTemplate))),
  shared('program', (entries) => entries.some((id) => id.endsWith(template))),
  shared('shell', (entries) => entries.some((id) => id.endsWith('src/main/shell.tsx'))),
  shared('pages', (entries) => entries.length >= manyPages),
].map((group, index, { length }) => ({ ...group, priority: length - index }))

type Modules = {
  getModuleInfo(id: string): {
    isEntry: boolean
    importers: string[]
    dynamicImporters: string[]
  } | null
}

/** Names the chunk of the modules that at least two entries import, if these entries meet a condition. */
function shared(name: string, isOf: (entries: readonly string[]) => boolean) {
  return {
    debugName: name,
    name(id: string, modules: Modules) {
      const entries = entriesWith(id, modules)
      return entries.length > 1 && isOf(entries) ? name : null
    },
  }
}

/**
 * Returns the entries that load a module: those that import it statically, directly or through other modules. A module
 * that is imported on demand counts as an entry.
 */
function entriesWith(id: string, modules: Modules): string[] {
  const seen = new Set([id])
  // Values added to a set during the loop are visited too.
  for (const each of seen)
    for (const importer of modules.getModuleInfo(each)?.importers ?? []) seen.add(importer)
  return [...seen].filter((each) => {
    const info = modules.getModuleInfo(each)
    return info?.isEntry || (info?.dynamicImporters.length ?? 0) > 0
  })
}

export default defineConfig({
  appType: 'custom',
  publicDir: 'src/main/public',
  plugins: [react(), tailwindcss(), zodOfTheBrowser(), pagesAtTheTop(), workerOfTheFieldTool()],
  build: {
    target: ['chrome119', 'safari16', 'firefox115'],
    cssTarget: ['chrome119', 'safari16', 'firefox115'],
    // An inlined asset is a data: URL or an inline script, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: join(output, 'browser'),
        manifest: true,
        copyPublicDir: true,
        rolldownOptions: {
          input: { index: template, collecte: fieldTemplate, views: viewStyles, ...enhancements },
          output: { codeSplitting: { groups: sharedChunks } },
        },
      },
    },
    ssr: {
      // One file without imports, with React's production build: it loads in a tenth of the time.
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: join(output, 'views'),
        ssr: true,
        target: 'node24',
        copyPublicDir: false,
        rolldownOptions: { input: { views: 'src/main/views.tsx' } },
      },
    },
  },
})

/**
 * Every zod schema can describe itself as JSON Schema: 6 kB, compressed, that only the server's OpenAPI document needs; and
 * what is wrong, in English, which our contracts say in French.
 */
function zodOfTheBrowser() {
  return {
    name: 'zod-of-the-browser',
    applyToEnvironment: ({ name }: { name: string }) => name === 'client',
    transform(code: string, id: string) {
      if (/\/zod\/v4\/locales\/en\.js$/.test(id)) return { code: 'export default () => ({})', map: null }
      if (!/\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/.test(id)) return null
      const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
      return { code: names.map((name) => `export const ${name} = () => {}`).join('\n'), map: null }
    },
  }
}

function pagesAtTheTop() {
  return {
    name: 'pages-at-the-top',
    enforce: 'post' as const,
    generateBundle(_options: unknown, bundle: Bundle) {
      for (const path of [template, fieldTemplate]) {
        const page = bundle[path]
        if (page) page.fileName = basename(path)
      }
    },
  }
}

type Bundle = Record<
  string,
  {
    fileName: string
    facadeModuleId?: string | null
    imports?: string[]
    viteMetadata?: { importedCss: Set<string> }
  }
>

/** Writes into the worker of the field tool which files the tool is made of, and a version that changes with them. */
function workerOfTheFieldTool() {
  return {
    name: 'worker-of-the-field-tool',
    enforce: 'post' as const,
    applyToEnvironment: ({ name }: { name: string }) => name === 'client',
    generateBundle(
      this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void },
      _options: unknown,
      bundle: Bundle,
    ) {
      const files = new Set<string>()
      const visit = (name: string) => {
        const chunk = bundle[name]
        if (!chunk || files.has(`/${name}`)) return
        files.add(`/${name}`)
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(`/${style}`)
        for (const other of chunk.imports ?? []) visit(other)
      }
      const entry = Object.values(bundle).find((chunk) => chunk.facadeModuleId?.endsWith(fieldTemplate))
      if (!entry) throw new Error('the field tool has no entry')
      visit(entry.fileName)
      files.add('/favicon.svg').add('/collecte.webmanifest')
      const list = [...files].sort()
      const source = readFileSync('src/main/collecte-sw.js', 'utf8')
      const page = readFileSync(fieldTemplate, 'utf8')
      const version = createHash('sha256').update(source).update(page).update(list.join()).digest('hex')
      this.emitFile({
        type: 'asset',
        fileName: 'collecte-sw.js',
        source: source
          .replace("['__FILES__']", JSON.stringify(list))
          .replace('__VERSION__', version.slice(0, 12)),
      })
    },
  }
}
