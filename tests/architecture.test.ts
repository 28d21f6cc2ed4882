import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findViolations } from './support/architecture.ts'
import { renderLayers, renderTable } from './support/import-rules.ts'

const root = join(import.meta.dirname, '..')

describe('the code', () => {
  test('keeps the rules of ARCHITECTURE.md', () => {
    expect(findViolations(readTree(['src', 'tests', 'scripts', 'bench'])).join('\n')).toBe('')
  })

  test('and ARCHITECTURE.md say the same about who may import what', () => {
    expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')).toContain(renderTable())
  })

  test('and ARCHITECTURE.md say the same about which features lie above which', () => {
    expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')).toContain(renderLayers())
  })

  test('numbers each migration once', () => {
    const numbers = readdirSync(join(root, 'db/migrations')).map((name) => /^\d{4}/.exec(name)?.[0])
    expect(doubles(numbers.filter((number) => number !== undefined))).toEqual([])
  })

  test('says each word of the API once', () => {
    const folder = join(root, 'src/features/reference/words')
    const names = readdirSync(folder).flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^(\S+) \|/gm)].map(([, word = '']) => word),
    )
    expect(names.length).toBeGreaterThan(1_000)
    expect(doubles(names)).toEqual([])
  })

  test('and docs/resource-costs.md say the same', () => {
    const table = execFileSync(process.execPath, [join(root, 'scripts/resource-costs.mjs')], {
      encoding: 'utf8',
    })
    const page = readFileSync(join(root, 'docs/resource-costs.md'), 'utf8')
    expect(page, 'npm run check -- --fix counts again').toContain(table)
  })

  test('has decisions of 300 words at most, each with its status and its day', () => {
    const folder = join(root, 'docs/decisions')
    const faults = readdirSync(folder).filter((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const isDated = /^(Accepted|Superseded)\b.*\d{4}-\d{2}-\d{2}/m.test(text)
      return !isDated || text.split(/\s+/).filter(Boolean).length > 300
    })
    expect(faults).toEqual([])
  })

  test('has short pages for newcomers', () => {
    for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
      expect(readFileSync(join(root, page), 'utf8').split(/\s+/).length, page).toBeLessThan(1_350)
  })

  test('and .env.example list the same settings', () => {
    const config = readFileSync(join(root, 'src/server/config-schema.ts'), 'utf8')
    const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name)
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    const documented = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name)
    expect(read.filter((name) => !documented.includes(name))).toEqual([])
  })
})

// Each check must fail for a violation.
describe('the checker catches', () => {
  const violations: [rule: string, files: Record<string, string>, said: string][] = [
    [
      'a route that imports markup',
      { 'src/features/brands/brands.routes.ts': "import { BrandsAdmin } from './brands.admin.tsx'" },
      'may import from its own feature only: contract, rules, sql, routes, jobs',
    ],
    [
      'a contract that imports another feature’s statement',
      { 'src/features/products/products.contract.ts': "import { x } from '#features/brands/brands.sql.ts'" },
      'may import from another feature only: addresses, contract, rules',
    ],
    [
      'a statement that imports server plumbing',
      { 'src/features/brands/brands.sql.ts': "import { send } from '#server/mail.ts'" },
      'may import from server/ only db/, and types',
    ],
    [
      'a screen that imports the server, even as a type',
      { 'src/features/brands/brands.admin.tsx': "import type { Db } from '#server/db/pool.ts'" },
      'may not import server/',
    ],
    [
      'a screen that imports a statement in a type expression',
      { 'src/features/brands/brands.admin.tsx': "type A = typeof import('./brands.sql.ts')" },
      'may import from its own feature only: addresses, contract, rules, ui, view',
    ],
    [
      'a lazily imported page of another feature',
      {
        'src/features/brands/brands.admin.tsx': "const p = () => import('#features/prices/prices.page.tsx')",
      },
      'may import from another feature only',
    ],
    [
      'an address that brings a schema',
      { 'src/features/brands/brands.addresses.ts': "import { b } from './brands.contract.ts'" },
      'may import nothing from its own feature',
    ],
    [
      'server plumbing that knows a feature',
      { 'src/server/mail.ts': "import { x } from '#features/imports/imports.contract.ts'" },
      '`server/` may import nothing from another feature',
    ],
    [
      'browser plumbing that knows the server',
      { 'src/web/api.ts': "import { x } from '../server/errors.ts'" },
      'may not import server/',
    ],
    [
      'a package in shared/ other than zod',
      { 'src/shared/dates.ts': "import { format } from 'date-fns'" },
      'may use no package but zod',
    ],
    [
      'a feature that imports main/',
      { 'src/features/brands/brands.routes.ts': "import { x } from '#main/server.ts'" },
      'only main/ may import main/',
    ],
    [
      'a browser program that imports the server',
      { 'src/main/browser.tsx': "import { pool } from '#server/db/pool.ts'" },
      'may not import server/',
    ],
    [
      'a server program that imports markup',
      { 'src/main/server.ts': "import { HomeView } from '#features/landing/landing.view.tsx'" },
      'may import from features only: contract, rules, sql, routes, jobs, gateway',
    ],
    [
      'the query builder in a route',
      { 'src/features/brands/brands.routes.ts': "import { sql } from 'kysely'" },
      'only *.sql.ts and server/db/ touch the query builder',
    ],
    ['Node in the browser', { 'src/web/ui/file.tsx': "import fs from 'node:fs'" }, 'runs in the browser'],
    ['React on the server', { 'src/server/mail.ts': "import React from 'react'" }, 'is for the browser'],
    [
      'tests imported by a program',
      { 'src/server/mail.ts': "import { x } from '../../tests/support/database.ts'" },
      'imports nothing from outside it',
    ],
    [
      'fetch in a screen',
      { 'src/features/brands/ui/logo.tsx': "export const load = () => fetch('/api')" },
      'only web/api.ts calls fetch',
    ],
    [
      'process.env outside the configuration',
      { 'src/server/log.ts': 'export const level = process.env.LOG_LEVEL' },
      'only server/config.ts reads process.env',
    ],
    [
      'process.env taken apart',
      { 'src/server/log.ts': 'const { env } = process\nexport const level = env.LOG_LEVEL' },
      'only server/config.ts reads process.env',
    ],
    [
      'process.env imported',
      { 'src/server/log.ts': "import { env } from 'node:process'\nexport const level = env.LOG_LEVEL" },
      'only server/config.ts reads process.env',
    ],
    [
      'a hook in a view',
      {
        'src/features/plans/plans.view.tsx': "import { useId } from 'react'\nexport const V = () => useId()",
      },
      'a view is pure, and this one uses useId()',
    ],
    [
      'a hook that a view loads',
      {
        'src/features/plans/plans.view.tsx':
          "import { isPhone } from '#web/ui/phone.ts'\nexport const V = isPhone",
        'src/web/ui/phone.ts': 'export const isPhone = () => window.innerWidth < 768',
      },
      'uses window through src/web/ui/phone.ts',
    ],
    [
      'a public page without its enhancement',
      {
        'src/features/plans/plans.view.tsx':
          "export function head() { return { title: 'Plans' } }\nexport const V = () => <PublicLayout />",
      },
      'names the enhancement public-site',
    ],
    [
      'a view that loads a component',
      { 'src/features/plans/plans.view.tsx': "import { Button } from '#web/ui/button.tsx'" },
      'only pure views and modules without markup',
    ],
    [
      'an arrow up',
      {
        'src/features/figures/figures.sql.ts':
          "import type { p } from '#features/prices/prices.contract.ts'\nimport { m } from '#features/markets/markets.contract.ts'",
      },
      'figures does not lie above prices',
    ],
    [
      'an arrow between features of one layer',
      { 'src/features/brands/brands.rules.ts': "import { m } from '#features/markets/markets.rules.ts'" },
      'brands does not lie above markets',
    ],
    [
      'a feature that is in no layer',
      { 'src/features/suppliers/suppliers.sql.ts': "import { b } from '#features/brands/brands.sql.ts'" },
      'suppliers is in none of the layers',
    ],
    [
      'a feature without end',
      Object.fromEntries(
        [...'abcdefghijklmnopq'].map((name) => [
          `src/features/brands/${name}.rules.ts`,
          '// one\n'.repeat(399),
        ]),
      ),
      'src/features/brands: ',
    ],
    [
      'a word outside the vocabulary',
      { 'src/features/brands/brands.service.ts': 'export const x = 1' },
      'a feature holds *.contract.ts',
    ],
    ['utils.ts', { 'src/web/utils.ts': 'export const x = 1' }, 'says nothing about what is inside'],
    ['a folder of hooks', { 'src/web/hooks/use-x.ts': 'export const x = 1' }, 'named after a subject'],
    ['CamelCase', { 'src/web/ui/DataTable.tsx': 'export const x = 1' }, 'file names are kebab-case'],
    ['a stray folder', { 'src/lib-x/thing.ts': 'export const x = 1' }, 'src/ holds main/'],
    ['a default export', { 'src/web/api.ts': 'export default 1' }, 'exports are named'],
    ['a barrel', { 'src/web/ui/all.ts': "export * from './button.tsx'" }, 'only passes on'],
    [
      'a noun of the product in the server’s plumbing, even inside a name',
      { 'src/server/mail.ts': 'export const mostPricesAtOnce = 3' },
      'src/server/mail.ts names a noun of the product: Prices',
    ],
    [
      'a noun of the product on a screen that knows no feature',
      { 'src/web/ui/empty-state.tsx': "// Said of « la marque ».\nexport const text = 'Aucun relevé'" },
      'src/web/ui/empty-state.tsx names a noun of the product: relevé',
    ],
    [
      'a name that two files export',
      {
        'src/features/brands/brands.contract.ts': 'export type Logo = string',
        'src/web/ui/logo.view.tsx': 'export const Logo = () => null',
      },
      'src/features/brands/brands.contract.ts and src/web/ui/logo.view.tsx both export Logo',
    ],
    [
      'a float in the path of money',
      { 'src/features/payments/payments.rules.ts': 'export const read = (text: string) => parseFloat(text)' },
      'no float in the path of money: parseFloat',
    ],
    [
      'a story that looks once',
      { 'tests/e2e/brands.e2e.ts': "expect(await page.getByLabel('Nom').inputValue()).toBe('Simba')" },
      'what a page shows is waited for',
    ],
    [
      'a test by the day of UTC',
      {
        'src/features/brands/brands.test.ts': [
          `const today = ${'new Date()'}.toISOString().slice(0, 10)`,
          'const day = addDays(dayIn(zone, new Date()), -1)',
        ].join('\n'),
      },
      'the day is that of the market',
    ],
    ['a file without end', { 'src/web/api.ts': 'export const x = 1\n'.repeat(401) }, '400 is the end'],
    [
      'a test that reads the queue of mails while jobs empty it',
      {
        'src/features/brands/brands.test.ts': [
          `const server = await testServer({ hasJobs: ${'true'} })`,
          'const rows = sql`select from outgoing_mail`',
        ].join('\n'),
      },
      'use tests/support/mails.ts',
    ],
    [
      'an object made only to be spread',
      {
        'src/features/brands/brands.rules.ts': `export const brand = {\n  ${'...'}{ id: 1, name: 'Riz' },\n}\n`,
      },
      'one per line',
    ],
    [
      'a test with a time limit among its options',
      {
        'src/features/brands/brands.test.ts': `test('brands', {\n  ${'timeout'}: 60_000,\n}, async () => {})\n`,
      },
      'no time limit of its own',
    ],
    [
      'a test with a time limit of its own',
      { 'src/features/brands/brands.test.ts': `test('brands', async () => {\n${'}'}, 60_000)\n` },
      'no time limit of its own',
    ],
    [
      'an instant by its day of UTC',
      {
        'src/features/brands/brands.rules.ts':
          'export const dayOf = (row: { createdAt: string }) => row.createdAt.slice(0, 10)',
      },
      'the day of an instant is that of Kinshasa',
    ],
    [
      'a method that old browsers lack',
      { 'src/web/api.ts': `export const isAddress = (text: string) => ${'URL.canParse'}(text)` },
      'use shared/parse-url.ts',
    ],
    [
      'a signal that old browsers lack',
      { 'src/web/api.ts': `export const both = (a: AbortSignal) => ${'AbortSignal.any'}([a])` },
      'use web/either-signal.ts',
    ],
    [
      'a regular expression that old browsers do not read',
      { 'src/web/format.ts': `export const joined = (text: string) => text.replace(/${'(?<'}!,) /g, '')` },
      'lookbehind',
    ],
  ]

  test.each(violations)('%s', (_rule, files, said) => {
    const found = findViolations(new Map(Object.entries(files)))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(said)
  })

  test('nothing in a feature that keeps the rules', () => {
    const files = {
      'src/features/brands/brands.contract.ts':
        "import { z } from 'zod'\nimport { text } from '#shared/fields.ts'",
      'src/features/brands/brands.sql.ts':
        "import { sql } from 'kysely'\nimport type { Use } from '#server/crud.ts'",
      'src/features/brands/brands.routes.ts':
        "import { crud } from '#server/crud.ts'\nimport * as s from './brands.sql.ts'",
      'src/features/brands/brands.admin.tsx':
        "import { Table } from '#web/ui/table.tsx'\nimport { useId } from 'react'",
      'src/features/brands/brands.view.tsx': "import { Logo } from '#web/ui/logo.view.tsx'",
      'src/features/brands/brands.test.ts':
        "import { db } from '../../../tests/support/database.ts'\nprocess.env.X",
      'src/web/api.ts': "export const call = () => fetch('/api')",
      'src/server/config.ts': 'export const port = process.env.PORT',
    }
    expect(findViolations(new Map(Object.entries(files)))).toEqual([])
  })
})

function readTree(folders: string[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      files.set(path.slice(root.length + 1), readFileSync(path, 'utf8'))
    }
  }
  return files
}

function doubles(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
