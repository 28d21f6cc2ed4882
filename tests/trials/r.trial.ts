import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectsOf } from '#features/reference/reference.rules.ts'
import { scopeNames } from '#shared/permissions.ts'
import { insertBrand, insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { testServer } from '../support/server.ts'

const run = promisify(execFile)
const server = await testServer()
const folder = mkdtempSync(join(tmpdir(), 'ntalo-r-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let env: NodeJS.ProcessEnv

const program = 'Rscript'
const hasR = (() => {
  try {
    // httr2 reads JSON with jsonlite, which it only suggests.
    execFileSync(program, ['-e', 'library(httr2); library(jsonlite)'], { stdio: 'ignore' })
    return true
  } catch {
    console.log(
      'R, httr2 or jsonlite is not installed (apt-get install r-base-core r-cran-httr2 r-cran-jsonlite): not tried.',
    )
    return false
  }
})()

beforeAll(async () => {
  await insertBrand(server.db)
  const product_id = await insertProduct(server.db, { name: 'Riz local' })
  const market_id = await insertMarket(server.db, { name: 'Kadutu' })
  for (const price_value of [1000, 1100.5])
    await insertPrice(server.db, { product_id, market_id, day: '2026-11-20', price_value })
  const owner = await server.as('super admin')
  const { body } = await owner.post('/api/keys', { name: 'R', scopes: [...scopeNames] })
  env = { ...process.env, NTALO_KEY: (body as { key: string }).key }
})

async function inR(code: string): Promise<string> {
  const file = join(folder, 'program.R')
  writeFileSync(file, code)
  return (await run(program, [file], { env, maxBuffer: 1e8 })).stdout
}

test.runIf(hasR)('the recipe in R computes the median of each series', async () => {
  const recipe = readFileSync(join(import.meta.dirname, '../../docs/examples/prices.R'), 'utf8')
  expect(await inR(recipe.replaceAll('https://ntalo.example', server.url))).toMatch(
    /Riz local\s+Kadutu\s+1050\.25/,
  )
})

test.runIf(hasR)('the R example of the reference runs unchanged', async () => {
  const { body } = await server.visitor.get('/api/openapi.json')
  const operations = subjectsOf(body as object, server.url).flatMap((subject) => subject.operations)
  const codes = operations
    .filter(({ method, path }) => method === 'GET' && !path.includes('{') && !path.startsWith('/api/auth/'))
    .flatMap(({ snippets }) => snippets.filter(({ language }) => language === 'R'))
    .map(({ code }) => code)
  expect(codes.length).toBeGreaterThan(30)
  expect(await inR(codes.join('\n'))).toContain('priceValue')
})
