// Which files may import which: the only definition. ARCHITECTURE.md shows the same table, and a test compares them.
import type { Import } from './source-facts.ts'

type Row = {
  kinds: string[]
  label: string
  shared?: boolean
  /** `all`, or a list among `db` (server/db/) and `types` (erased imports). */
  server?: 'all' | string[]
  /** `all`, or a list among `view` (*.view.tsx) and `ts` (modules without markup). */
  web?: 'all' | string[]
  own?: string[]
  other?: string[]
  main?: boolean
  /** Packages that the file may import; absent when there is no restriction. */
  packages?: string[]
}

/**
 * Features from the lowest layer up: each may import the features of lower layers, never of its own layer or above. Add
 * a new feature here.
 */
export const layers: readonly (readonly string[])[] = [
  [
    'auth',
    'brands',
    'categories',
    'journal',
    'keys',
    'mappings',
    'markets',
    'payment-simulator',
    'plans',
    'rates',
    'saved-views',
    'system',
  ],
  ['contact', 'product-types'],
  ['figures', 'products'],
  ['shares'],
  ['prices', 'public-prices', 'users'],
  ['collection', 'comparison', 'follows', 'imports', 'inflation', 'landing', 'statistics', 'subscriptions'],
  ['channels', 'invoices', 'webhooks'],
  ['alerts'],
  ['dashboard', 'editions', 'map', 'payments', 'reference', 'report', 'series'],
  ['account', 'gate', 'reconciliation', 'reports', 'revenue', 'reviews'],
]

const browserKinds = ['addresses', 'contract', 'rules', 'ui', 'view']

export const rows: Row[] = [
  { kinds: ['shared'], label: '`shared/`', shared: true, packages: ['zod'] },
  { kinds: ['server'], label: '`server/`', shared: true, server: 'all' },
  { kinds: ['web'], label: '`web/`', shared: true, web: 'all' },
  { kinds: ['addresses'], label: '`*.addresses.ts`', shared: true, own: [], packages: [] },
  {
    kinds: ['contract', 'rules'],
    label: '`*.contract.ts`, `*.rules.ts`',
    shared: true,
    own: ['addresses', 'contract', 'rules'],
    other: ['addresses', 'contract', 'rules'],
    packages: ['zod'],
  },
  {
    kinds: ['sql'],
    label: '`*.sql.ts`',
    shared: true,
    server: ['db', 'types'],
    own: ['contract', 'rules', 'sql'],
    other: ['contract', 'rules', 'sql'],
  },
  {
    kinds: ['routes', 'jobs'],
    label: '`*.routes.ts`, `*.jobs.ts`',
    shared: true,
    server: 'all',
    own: ['contract', 'rules', 'sql', 'routes', 'jobs'],
    other: ['contract', 'rules', 'sql', 'routes', 'jobs'],
  },
  {
    kinds: ['gateway'],
    label: '`*.gateway.ts`',
    shared: true,
    server: 'all',
    own: ['contract', 'rules'],
    other: ['contract'],
  },
  {
    kinds: ['admin', 'page', 'ui'],
    label: '`*.admin.tsx`, `*.page.tsx`, `ui/`',
    shared: true,
    web: 'all',
    own: browserKinds,
    other: browserKinds,
  },
  {
    kinds: ['view'],
    label: '`*.view.tsx`',
    shared: true,
    web: ['view', 'ts'],
    own: ['addresses', 'contract', 'rules', 'view'],
    other: ['contract', 'rules', 'view'],
  },
  {
    kinds: ['enhance'],
    label: '`*.enhance.ts`',
    shared: true,
    web: ['ts'],
    own: ['addresses', 'contract', 'rules'],
    other: [],
  },
  {
    kinds: ['demonstration'],
    label: '`demonstration/`',
    shared: true,
    server: 'all',
    other: ['contract', 'rules', 'sql'],
  },
  {
    kinds: ['main-server'],
    label: '`main/*.ts`',
    shared: true,
    server: 'all',
    other: ['contract', 'rules', 'sql', 'routes', 'jobs', 'gateway'],
    main: true,
  },
  {
    kinds: ['main-browser'],
    label: '`main/*.tsx`',
    shared: true,
    web: 'all',
    other: [...browserKinds, 'admin', 'page'],
    main: true,
  },
]

const featureKinds = /\.(addresses|contract|rules|sql|routes|jobs|gateway|admin|page|view|enhance)\.tsx?$/
const browserRows = ['web', 'admin', 'page', 'ui', 'view', 'enhance', 'main-browser']
const onlyInBrowser = /^(react|react-dom|lucide-react|d3-[a-z]+|@tanstack\/|@hookform\/|react-hook-form)/
const onlyOnServer = /^(node:|fastify|@fastify\/|kysely$|pg$|pg-|pino|sharp|@node-rs\/|csv-)/
const database = /^(kysely|pg|pg-copy-streams)(\/|$)/

/** Returns the kind of a file, from its directory and suffix; undefined when it has no place in the tree. */
export function kindOf(path: string): string | undefined {
  if (/\.test\.tsx?$/.test(path) || !path.startsWith('src/')) return 'test'
  const suffix = featureKinds.exec(path)?.[1]
  if (suffix === 'view' || suffix === 'enhance') return suffix
  const folder = path.split('/')[1]
  if (folder === 'features') return path.includes('/ui/') ? 'ui' : suffix
  if (folder === 'main') return path.endsWith('.tsx') ? (suffix ?? 'main-browser') : 'main-server'
  return ['shared', 'server', 'web', 'demonstration'].find((name) => name === folder)
}

/** Returns the rule that an import breaks, as a sentence; undefined when it breaks none. */
export function brokenRule(from: string, wanted: Import): string | undefined {
  const kind = kindOf(from)
  const row = rows.find((each) => kind && each.kinds.includes(kind))
  if (!row) return undefined
  if (wanted.target === undefined) return brokenPackageRule(from, row, wanted)
  const { target } = wanted
  if (!target.startsWith('src/')) return 'what is in src/ imports nothing from outside it'
  const area = target.split('/')[1] ?? ''
  const where = row.label
  if (area === 'shared') return row.shared ? undefined : `${where} may not import shared/`
  if (area === 'main')
    return row.main || from.startsWith('src/main/') ? undefined : 'only main/ may import main/'
  if (area === 'demonstration') {
    const isAllowed = kind === 'demonstration' || kind === 'main-server'
    return isAllowed ? undefined : 'only programs in main/ load the demonstration'
  }
  if (area === 'server')
    return allowsServer(row, target, wanted.isType) ? undefined : `${where}: ${saysServer(row)}`
  if (area === 'web') return allowsWeb(row, target) ? undefined : `${where}: ${saysWeb(row)}`
  return brokenFeatureRule(from, row, target)
}

/** Renders the table of ARCHITECTURE.md. */
export function renderTable(): string {
  const show = (value: 'all' | string[] | boolean | undefined) => {
    if (value === 'all' || value === true) return 'yes'
    return Array.isArray(value) && value.length > 0 ? value.join(', ') : '–'
  }
  const cells = rows.map((row) => {
    const hasOwn = row.own !== undefined
    return [
      row.label,
      show(row.shared),
      show(row.server),
      show(row.web),
      hasOwn ? show(row.own) : '',
      show(row.other),
    ]
  })
  const head = ['from ↓', 'shared', 'server', 'web', 'own feature', 'other features']
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function brokenFeatureRule(from: string, row: Row, target: string): string | undefined {
  const kind = kindOf(target) ?? 'unknown'
  const isOwn = featureOf(from) !== undefined && featureOf(from) === featureOf(target)
  const allowed = (isOwn ? row.own : row.other) ?? []
  if (allowed.includes(kind)) return isOwn ? undefined : brokenLayerRule(from, target)
  const whose = isOwn
    ? 'its own feature'
    : /^src\/(main|demonstration)\//.test(from)
      ? 'features'
      : 'another feature'
  if (allowed.length === 0) return `${row.label} may import nothing from ${whose}`
  return `${row.label} may import from ${whose} only: ${allowed.join(', ')}`
}

function brokenLayerRule(from: string, target: string): string | undefined {
  const [importing, imported] = [from, target].map((path) => featureOf(path))
  if (!importing || !imported) return undefined
  const layerOf = (feature: string) => layers.findIndex((layer) => layer.includes(feature))
  for (const feature of [importing, imported])
    if (layerOf(feature) < 0) return `${feature} is in none of the layers of tests/support/import-rules.ts`
  if (layerOf(imported) < layerOf(importing)) return undefined
  return `${importing} does not lie above ${imported} (tests/support/import-rules.ts)`
}

/** Renders the layers of ARCHITECTURE.md, from the top down. */
export function renderLayers(): string {
  return layers
    .toReversed()
    .map((layer) => `- ${layer.join(', ')}`)
    .join('\n')
}

function brokenPackageRule(from: string, row: Row, { specifier: name, isType }: Import): string | undefined {
  if (row.packages && !row.packages.some((each) => name === each || name.startsWith(`${each}/`))) {
    return `${row.label} may use no package but ${row.packages.join(', ')}`
  }
  const isBrowser = row.kinds.some((kind) => browserRows.includes(kind))
  // React's server renderer runs only in this file, although the file has no markup suffix.
  if (name === 'react-dom/server' && from === 'src/main/views.tsx') return undefined
  if (isBrowser && onlyOnServer.test(name)) return `${row.label} runs in the browser, ${name} does not`
  if (!isBrowser && onlyInBrowser.test(name))
    return `${row.label} runs on the server, ${name} is for the browser`
  const isTypeInServer = isType && from.startsWith('src/server/')
  const mayQuery = isTypeInServer || /\.sql\.ts$/.test(from) || from.startsWith('src/server/db/')
  if (database.test(name) && !mayQuery)
    return 'only *.sql.ts and server/db/ touch the query builder (kysely, pg)'
  return undefined
}

function allowsServer({ server }: Row, target: string, isType: boolean): boolean {
  if (server === 'all') return true
  if (server?.includes('types') && isType) return true
  return Boolean(server?.includes('db') && target.startsWith('src/server/db/'))
}

function saysServer({ server }: Row): string {
  return server ? 'may import from server/ only db/, and types' : 'may not import server/'
}

function allowsWeb({ web }: Row, target: string): boolean {
  if (web === 'all') return true
  if (web?.includes('view') && target.endsWith('.view.tsx')) return true
  return Boolean(web?.includes('ts') && target.endsWith('.ts'))
}

function saysWeb({ web }: Row): string {
  return web ? 'may import from web/ only pure views and modules without markup' : 'may not import web/'
}

export function featureOf(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1]
}
