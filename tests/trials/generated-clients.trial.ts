import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectsOf } from '#features/reference/reference.rules.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { testServer } from '../support/server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const server = await testServer()
const folder = mkdtempSync(join(tmpdir(), 'ntalo-clients-'))
const bin = (name: string) => join(folder, 'node_modules/.bin', name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let env: NodeJS.ProcessEnv

/** Packages downloaded for this trial only. */
const packages = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
  'esbuild@0.28.2',
]
const written = "{ productId: 1, marketId: 1, priceValue: 1234, collectorName: 'Essai' }"
const since = "{ updatedSince: '2020-01-01T00:00:00Z' }"
const said =
  'console.log(JSON.stringify({ names, value: made.data.priceValue, isFollowed: changes.data.data.some(({ id }) => id === made.data.id) }))'

/** The same program with each client: reads page by page, writes a price, and finds it among the changes. */
const programs = {
  'openapi-fetch': `
import createClient from 'openapi-fetch'
import type { paths } from './schema'
const { GET, POST } = createClient<paths>({
  baseUrl: process.env.NTALO_URL!, headers: { Authorization: 'Bearer ' + process.env.NTALO_KEY },
})
const names: string[] = []
for (let page = 1, pages = 1; page <= pages; page++) {
  const { data, error } = await GET('/api/markets', { params: { query: { page, limit: 2 } } })
  if (!data || !('pagination' in data)) throw new Error(error?.message)
  names.push(...data.data.map(({ name }) => name))
  pages = data.pagination.pages
}
const made = await POST('/api/prices', { body: ${written} })
if (!made.data) throw new Error(made.error.message)
const changes = await GET('/api/prices', { params: { query: ${since} } })
if (!changes.data || !('cursor' in changes.data)) throw new Error('no changes')
${said}`,
  'hey-api': `
import { client } from './hey/client.gen'
import { getMarkets, getPrices, postPrices } from './hey/sdk.gen'
client.setConfig({ baseUrl: process.env.NTALO_URL!, auth: () => process.env.NTALO_KEY })
const names: string[] = []
for (let page = 1, pages = 1; page <= pages; page++) {
  const { data, error } = await getMarkets({ query: { page, limit: 2 } })
  if (!data || !('pagination' in data)) throw new Error(JSON.stringify(error))
  names.push(...data.data.map(({ name }) => name))
  pages = data.pagination.pages
}
const made = await postPrices({ body: ${written} })
if (!made.data) throw new Error(JSON.stringify(made.error))
const changes = await getPrices({ query: ${since} })
if (!changes.data || !('cursor' in changes.data)) throw new Error('no changes')
${said}`,
  orval: `
import { getMarkets, getPrices, postPrices } from './orval/ntalo'
const options = { headers: { Authorization: 'Bearer ' + process.env.NTALO_KEY } }
const names: string[] = []
for (let page = 1, pages = 1; page <= pages; page++) {
  const { status, data } = await getMarkets({ page, limit: 2 }, options)
  if (status !== 200 || !('pagination' in data)) throw new Error(JSON.stringify(data))
  names.push(...data.data.map(({ name }) => name))
  pages = data.pagination.pages
}
const made = await postPrices(${written}, options)
if (made.status !== 201) throw new Error(JSON.stringify(made.data))
const changes = await getPrices(${since}, options)
if (changes.status !== 200 || !('cursor' in changes.data)) throw new Error('no changes')
${said}`,
}

beforeAll(async () => {
  const product_id = await insertProduct(server.db)
  for (const name of ['Gambela', 'Kadutu', 'Virunga']) await insertMarket(server.db, { name })
  await insertPrice(server.db, { product_id, market_id: 1, day: '2026-11-20', price_value: 1000 })
  const owner = await server.as('super admin')
  const { body } = await owner.post('/api/keys', {
    name: 'essai',
    scopes: ['prices.read', 'prices.write', 'markets.read'],
  })
  env = { ...process.env, NTALO_URL: server.url, NTALO_KEY: (body as { key: string }).key }
  const { text } = await server.visitor.get('/api/openapi.json')
  const files = {
    'package.json': '{"type":"module","private":true}',
    'document.json': text,
    'orval.config.mjs': `export default { ntalo: { input: './document.json', output: {
      target: './orval/ntalo.ts', client: 'fetch', baseUrl: { runtime: 'process.env.NTALO_URL' } } } }`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'preserve',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: ['node'],
      },
      include: ['*.ts'],
    }),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  await run('npm', ['install', '--no-save', ...packages], { cwd: folder })
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  await run(bin('openapi-typescript'), ['document.json', '-o', 'schema.d.ts'], { cwd: folder })
  await run(bin('openapi-ts'), ['-i', './document.json', '-o', './hey'], { cwd: folder })
  await run(bin('orval'), ['--config', 'orval.config.mjs'], { cwd: folder })
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), program)
})

test('three generated clients compile', async () => {
  const { stdout } = await run(bin('tsc'), ['-p', '.'], { cwd: folder }).catch((failed) => failed)
  expect(stdout).toBe('')
})

test.each(Object.keys(programs))('%s reads page by page, writes, and follows changes', async (name) => {
  await run(
    bin('esbuild'),
    [`${name}.ts`, '--bundle', '--platform=node', '--format=esm', `--outfile=${name}.mjs`],
    {
      cwd: folder,
    },
  )
  const { stdout } = await run(process.execPath, [join(folder, `${name}.mjs`)], { env })
  expect(JSON.parse(stdout)).toEqual({
    names: expect.arrayContaining(['Gambela', 'Kadutu', 'Virunga']),
    value: 1234,
    isFollowed: true,
  })
})

test('the examples of the reference are enough to read, write and follow', async () => {
  const { body } = await server.visitor.get('/api/openapi.json')
  const operations = subjectsOf(body as object, server.url).flatMap(({ operations: its }) => its)
  const shown = operations.find(({ id }) => id === 'postPrices')?.snippets[1]?.code ?? ''
  const example = (name: string) =>
    readFileSync(join(root, 'docs/examples', name), 'utf8').replaceAll('https://ntalo.example', server.url)
  const output = async (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return (await run(process.execPath, [join(folder, name)], { env })).stdout
  }
  const before = await output('changes.mjs', example('changes.mjs'))
  await output('write.mjs', shown.replace(/"(productId|marketId)": \d+/g, '"$1": 1'))
  const after = await output('changes.mjs', example('changes.mjs'))
  expect(Number.parseInt(after, 10)).toBe(Number.parseInt(before, 10) + 1)
  expect(await output('pages.mjs', example('pages.mjs'))).toContain('Virunga\n')
})
