import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectsOf } from '#features/reference/reference.rules.ts'
import { scopeNames } from '#shared/permissions.ts'
import { insertBrand, insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { testServer } from '../../../tests/support/server.ts'

const run = promisify(execFile)
const server = await testServer()
const { db } = server
const folder = mkdtempSync(join(tmpdir(), 'ntalo-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  await insertBrand(db)
  const product_id = await insertProduct(db)
  const market_id = await insertMarket(db)
  const day = daysAgo(0)
  for (const price_value of [1000, 1100]) await insertPrice(db, { product_id, market_id, day, price_value })
  await sql`insert into exchange_rate (day, cdf_per_usd) values (${day}, 2285.5)`.execute(db)
  const owner = await server.as('super admin')
  const { body } = await owner.post('/api/keys', { name: 'essai', scopes: [...scopeNames] })
  writeFileSync(join(folder, '.curlrc'), 'fail\nsilent\nshow-error\n')
  env = { ...process.env, NTALO_KEY: (body as { key: string }).key, CURL_HOME: folder }
})

const { body: document } = await server.visitor.get('/api/openapi.json')
const operations = subjectsOf(document as object, server.url).flatMap((subject) => subject.operations)
// The first row of each table has the id 1: addresses of tables without rows are left out.
const isMade = (path: string) =>
  !path.includes('{') ||
  /^\/api\/(brands|categories|product-types|products|markets|prices|exchange-rates)\//.test(path)
const asked = operations.filter(
  ({ method, path, snippets }) =>
    method === 'GET' && snippets.length === 4 && !path.startsWith('/api/auth/') && isMade(path),
)
const codesIn = (language: string) =>
  asked.map(({ snippets }) => snippets.find((each) => each.language === language)?.code ?? '')

const isThere = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('every operation that a key reaches is shown in four languages, a stream in one', () => {
  expect(asked.length).toBeGreaterThan(30)
  const few = operations.filter(({ scopes, snippets }) => scopes !== null && snippets.length !== 4)
  expect(few.map(({ id }) => id)).toEqual(['getPricesLive'])
  expect(operations.filter(({ scopes, snippets }) => scopes === null && snippets.length > 0)).toEqual([])
})

test('the JavaScript examples run unchanged', async () => {
  const file = join(folder, 'all.mjs')
  const addresses = codesIn('JavaScript').map((code) => `data:text/javascript,${encodeURIComponent(code)}`)
  writeFileSync(file, `for (const address of ${JSON.stringify(addresses)}) await import(address)`)
  const { stdout } = await run(process.execPath, [file], { env, maxBuffer: 1e8 })
  expect(stdout).toContain('priceValue')
})

test.runIf(isThere('curl', '--version'))('the curl examples run unchanged', async () => {
  const script = ['set -e', `cd ${folder}`, ...codesIn('curl')].join('\n')
  const { stdout } = await run('sh', ['-c', script], { env, maxBuffer: 1e8 })
  expect(stdout).toContain('priceValue')
})

test.runIf(isThere('python3', '-c', 'import requests'))('the Python examples run unchanged', async () => {
  const file = join(folder, 'all.py')
  writeFileSync(file, codesIn('Python').join('\n'))
  const { stdout } = await run('python3', [file], { env, maxBuffer: 1e8 })
  expect(stdout).toContain('priceValue')
})

test('the R examples call httr2 with the whole address, and close what they open', () => {
  for (const code of operations.flatMap(({ snippets }) =>
    snippets.filter(({ language }) => language === 'R'),
  )) {
    expect(code.code).toMatch(/^library\(httr2\)\nrequest\("http:\/\/[^"\s]+"\) \|>\n/)
    expect(code.code.split('|>').length).toBeGreaterThan(2)
  }
})

test('a body is written in the syntax of each language', () => {
  const { snippets = [] } = operations.find(({ id }) => id === 'putPlansById' || id === 'putPricesById') ?? {}
  expect(snippets.map(({ code }) => code.includes('NTALO_KEY'))).toEqual([true, true, true, true])
  const python = snippets.find(({ language }) => language === 'Python')?.code ?? ''
  expect(python).not.toMatch(/: (null|true|false)\b/)
})
