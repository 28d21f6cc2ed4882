import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { readRecords } from '../../../tests/support/csv-files.ts'
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

test('a copy of the prices is updated from the changes', async () => {
  expect(await output(process.execPath, 'changes.mjs')).toBe('2 true\n')
})

test('a repeated request answers 304', async () => {
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

/** Runs a script of Google with synchronous requests, as Apps Script does. */
async function runAppsScript(program: string, sheet: object): Promise<void> {
  const answers = new Map<string, { status: number; text: string }>()
  type Wanted = { address: string; headers: Record<string, string> }
  const fetched = (address: string, { headers }: { headers: Record<string, string> }) => {
    const answer = answers.get(address)
    if (!answer) throw { address, headers } satisfies Wanted
    return { getResponseCode: () => answer.status, getContentText: () => answer.text }
  }
  for (;;) {
    try {
      runInNewContext(program, {
        PropertiesService: {
          getScriptProperties: () => ({ getProperty: (name: string) => ({ NTALO_KEY: key })[name] }),
        },
        UrlFetchApp: { fetch: fetched },
        Utilities: { parseCsv: (csv: string) => readRecords(Buffer.from(csv), ',') },
        SpreadsheetApp: { getActiveSheet: () => sheet },
      })
      return
    } catch (error) {
      const { address, headers } = Object(error) as Partial<Wanted>
      if (!address || !headers) throw error
      const answer = await fetch(address, { headers })
      answers.set(address, { status: answer.status, text: await answer.text() })
    }
  }
}

test('the script of a Google sheet sends requests, and writes a table with numeric prices', async () => {
  let written: unknown[][] = []
  const sheet = {
    clearContents: () => {},
    getRange: (row: number, column: number, rows: number, columns: number) => ({
      setValues: (values: unknown[][]) => {
        // The sheet refuses a table whose rows differ in width.
        for (const cells of values)
          expect([row, column, rows, columns]).toEqual([1, 1, values.length, cells.length])
        written = values
      },
    }),
  }
  const program = `${textOf('google-sheets.gs')}\nimporterPrix()`
  await runAppsScript(program, sheet)
  const at = written[0]?.indexOf('price') ?? -1
  expect(written.slice(1).map((row) => row[at])).toEqual(expect.arrayContaining([1000, 1100.5]))
  const refused = program.replace('startDate=2026-11-01', 'startDate=hier')
  await expect(runAppsScript(refused, sheet)).rejects.toThrow('Date attendue')
})

test('Power Query requests a file with its columns and their types', async () => {
  const program = textOf('excel.m')
  const { origin, path, query } =
    /Web\.Contents\("(?<origin>[^"]+)", \[\s*RelativePath = "(?<path>[^"]+)",\s*Query = \[(?<query>[^\]]+)\]/.exec(
      program,
    )?.groups ?? {}
  const asked = [...(query ?? '').matchAll(/(\w+) = "([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const address = `${origin}/${path}?${new URLSearchParams(asked)}`
  // The spreadsheet requests without a key first, then sends the typed user name.
  expect((await fetch(address)).status).toBe(401)
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
  const answer = await fetch(address, { headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('utf-8')])
  expect(program).toContain('Delimiter = ","')
  const [titles = [], ...rows] = readRecords(Buffer.from(await answer.arrayBuffer()), ',')
  expect(rows).toHaveLength(2)
  const shapes = { date: /^\d{4}-\d\d-\d\d$/, number: /^\d+(\.\d+)?$/ }
  const typed = [...program.matchAll(/\{"(\w+)", type (date|number)\}/g)]
  expect(typed).toHaveLength(2)
  for (const [, column = '', type] of typed) {
    for (const row of rows) expect(row[titles.indexOf(column)]).toMatch(shapes[type as keyof typeof shapes])
  }
})
