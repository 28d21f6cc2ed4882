// The browser program without one of the field tool's protections, to prove that a trial fails without it.
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createBuilder } from 'vite'
import { afterAll } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const phone = 'src/features/collection/phone'

/** Without `from`, `to` replaces the whole file. */
type Weakening = { file: string; from?: string; to: string }

/** Protections removed, as changes of the source. */
export const weakenings = {
  'no second copy outside the database': [
    {
      file: `${phone}/ui/database.ts`,
      from: 'await cache.put(copyOf(entry.id), new Response(JSON.stringify(entry)))',
      to: '',
    },
  ],
  'another id at each sending': [
    { file: `${phone}/phone.rules.ts`, from: 'export function bodyOf(', to: 'function trueBodyOf(' },
    {
      file: `${phone}/phone.rules.ts`,
      from: '/** Returns an entry updated with its receipt. */',
      to: `
const idsOfSendings = new Map<string, string>()
export function bodyOf(entry: PhoneEntry): CollectionEntry {
  const body = { ...trueBodyOf(entry), id: crypto.randomUUID() }
  idsOfSendings.set(body.id, entry.id)
  return body
}`,
    },
    {
      file: `${phone}/phone.rules.ts`,
      from: 'return Array.isArray(receipts) ? receipts : null',
      to: `return Array.isArray(receipts)
        ? receipts.map((each) => ({ ...each, id: idsOfSendings.get(each.id) ?? each.id }))
        : null`,
    },
  ],
  'any answer of 200 is a receipt': [
    {
      file: `${phone}/ui/sender.ts`,
      from: 'const receipts = receiptsIn(answer)',
      to: `const receipts = receiptsIn(answer)
        ?? sent.map(({ id }) => ({ id, state: 'received' as const, priceId: null, message: null }))`,
    },
  ],
  /** No protection: the bare minimum that a program of this kind loads when it opens. */
  'nothing but React': [
    {
      file: 'src/main/collecte.tsx',
      to: `
import { createRoot } from 'react-dom/client'
const place = document.getElementById('root')
if (place) createRoot(place).render(<h1>Prêt</h1>)
void navigator.serviceWorker.register('/collecte-sw.js', { scope: '/collecte' })`,
    },
  ],
} satisfies Record<string, Weakening[]>

/**
 * Builds the weakened program in its own directory, which is removed after the file's tests.
 *
 * @returns a directory such as `dist`
 * @throws Error when the source no longer contains the text to change
 */
export async function buildWeakened(name: keyof typeof weakenings): Promise<string> {
  const dist = mkdtempSync(join(tmpdir(), 'ntalo-weakened-'))
  afterAll(() => rmSync(dist, { recursive: true, force: true }))
  const browser = join(dist, 'current/browser')
  const left = new Set<Weakening>(weakenings[name])
  const builder = await createBuilder({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'warn',
    environments: { client: { build: { outDir: browser, emptyOutDir: true } } },
    plugins: [
      {
        name: 'weakened',
        enforce: 'pre',
        transform(code, id) {
          const own = [...left].filter(({ file }) => id === join(root, file))
          let weakened = code
          for (const change of own) {
            const { file, from = weakened, to } = change
            if (weakened.split(from).length !== 2) throw new Error(`${file} is another`)
            weakened = weakened.replace(from, () => to)
            left.delete(change)
          }
          return own.length > 0 ? { code: weakened, map: null } : null
        },
      },
    ],
  })
  const client = builder.environments.client
  if (!client) throw new Error('the build has no client')
  await builder.build(client)
  if (left.size > 0) throw new Error(`not built: ${[...left].map(({ file }) => file).join(', ')}`)
  renameSync(join(browser, '.vite/manifest.json'), join(dist, 'current/manifest.json'))
  symlinkSync(join(root, 'dist/current/views'), join(dist, 'current/views'))
  return dist
}
