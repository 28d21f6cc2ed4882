import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const template = 'src/main/index.html'
const viewStyles = 'src/web/views.css'
const output = process.env.BUILD_DIR ?? 'dist/manual'

// The small scripts of server-rendered pages: one file each, named after the view that they serve.
const enhancements = Object.fromEntries(
  globSync('src/**/*.enhance.ts').map((path) => [basename(path, '.enhance.ts'), path]),
)

// None of those that a server-rendered page loads too: it would load the others with them.
const partsOfLists = [
  'button',
  'card',
  'counters',
  'field',
  'filter-controls',
  'info-popover',
  'page-header',
  'search-field',
  'tabs',
]

export default defineConfig({
  appType: 'custom',
  publicDir: 'src/main/public',
  plugins: [react(), tailwindcss(), zodOfTheBrowser(), shellAtTheTop()],
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
          input: { index: template, views: viewStyles, ...enhancements },
          // Of two hundred bytes each, icons of their own cost more requests than what they spare; so do the parts of every list.
          output: {
            codeSplitting: {
              groups: [
                { name: 'icons', test: /lucide-react/, minShareCount: 6 },
                { name: 'lists', test: new RegExp(`src/web/ui/(${partsOfLists.join('|')})\\.tsx$`) },
              ],
            },
          },
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

function shellAtTheTop() {
  return {
    name: 'shell-at-the-top',
    enforce: 'post' as const,
    generateBundle(_options: unknown, bundle: Record<string, { fileName: string }>) {
      const shell = bundle[template]
      if (shell) shell.fileName = 'index.html'
    },
  }
}
