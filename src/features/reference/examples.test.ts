import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { testServer } from '../../../tests/support/server.ts'

const run = promisify(execFile)
const examples = join(import.meta.dirname, '../../../docs/examples')
const server = await testServer()
const folder = mkdtempSync(join(tmpdir(), 'ntalo-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let key = ''

beforeAll(async () => {
  const product_id = await insertProduct(server.db, { name: 'Riz local' })
  const market_id = await insertMarket(server.db, { name: 'Kadutu' })
  for (const price_value of [1000, 1100.5])
    await insertPrice(server.db, { product_id, market_id, day: '2026-11-20', price_value })
  const owner = await server.as('super admin')
  const { body } = await owner.post('/api/keys', { name: 'essai', scopes: ['prices.read', 'markets.read'] })
  key = (body as { key: string }).key
})

const textOf = (name: string) =>
  readFileSync(join(examples, name), 'utf8').replaceAll('https://ntalo.example', server.url)

async function output(program: string, name: string): Promise<string> {
  const file = join(folder, name)
  writeFileSync(file, textOf(name))
  const { stdout } = await run(program, [file], { env: { ...process.env, NTALO_KEY: key } })
  return stdout
}

test('the pages of a list are read to the last one', async () => {
  expect(await output(process.execPath, 'pages.mjs')).toBe('Kadutu\n')
})

test('a copy of the prices is made by what changed', async () => {
  expect(await output(process.execPath, 'changes.mjs')).toBe('2 true\n')
})

test('the second time an answer is 304', async () => {
  expect(await output(process.execPath, 'unchanged.mjs')).toBe('304\n')
})

const hasPandas = () => {
  try {
    execFileSync('python3', ['-c', 'import pandas, requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
test.runIf(hasPandas())('Python computes the median of each series', async () => {
  expect(await output('python3', 'prices.py')).toMatch(/Riz local\s+Kadutu\s+2\s+1050\.25/)
})

test('the script of a Google sheet writes a table of numbers with a point', async () => {
  const { status, text } = await server.visitor.send(addressIn(textOf('google-sheets.gs')), {
    headers: { authorization: `Bearer ${key}` },
  })
  let written: string[][] = []
  const sheet = {
    clearContents: () => {},
    getRange: (row: number, column: number, rows: number, columns: number) => ({
      setValues: (values: string[][]) => {
        expect([row, column, rows, columns]).toEqual([1, 1, values.length, values[0]?.length])
        written = values
      },
    }),
  }
  runInNewContext(`${textOf('google-sheets.gs')}\nimporterPrix()`, {
    PropertiesService: { getScriptProperties: () => ({ getProperty: () => key }) },
    UrlFetchApp: { fetch: () => ({ getResponseCode: () => status, getContentText: () => text }) },
    Utilities: {
      parseCsv: (csv: string) =>
        csv
          .trim()
          .split(/\r?\n/)
          .map((line) => line.split(',')),
    },
    SpreadsheetApp: { getActiveSheet: () => sheet },
  })
  const at = written[0]?.indexOf('price') ?? -1
  expect(written.slice(1).map((row) => row[at])).toEqual(expect.arrayContaining(['1000.00', '1100.50']))
})

test('Power Query and R ask for columns that the file has, with the key where they can give it', async () => {
  const address = addressIn(textOf('google-sheets.gs'))
  const { text } = await server.visitor.send(address, {
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  })
  const titles = text.split(/\r?\n/, 1)[0]?.split(',')
  expect(titles).toEqual(expect.arrayContaining(['observed_on', 'price', 'product', 'market']))
  const power = textOf('excel.m')
  for (const [, column] of power.matchAll(/\{"(\w+)", type/g)) expect(titles).toContain(column)
  expect(power).toContain('[fileFormat = "csv-machine", startDate = "2026-11-01"]')
})

const addressIn = (text: string) => /'http[^']*?(\/api[^']+)'/.exec(text)?.[1] ?? ''
