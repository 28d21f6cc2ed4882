import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { importProducts } from '#features/imports/products/imports.jobs.ts'
import { productColumns } from '#features/products/products.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { writeXlsx, xlsxCells } from '#server/workbook/xlsx.ts'
import {
  insertBrand,
  insertCategory,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { testServer } from '../../../../tests/support/server.ts'

/** Replaces no-break spaces by the ordinary spaces of the tests. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

type Options = Parameters<typeof importProducts>[2]
const titles = productColumns.map(({ title }) => title)
const lion = {
  code: 'RIZ-1',
  name: 'Riz parfumé',
  category: 'Céréales',
  type: 'Riz',
  brand: 'Lion',
  country: 'Thaïlande',
  weight: '25 kg',
  format: 'Sac',
  origin: 'Thaïlande',
  price: '62000,50',
  currency: 'CDF',
}
type Line = typeof lion

/** Returns a CSV file of products in our own layout. */
function csv(...lines: Partial<Line>[]): string {
  const rows = lines.map((line) => productColumns.map(({ key }) => ({ ...lion, ...line })[key]))
  return `\ufeff${[titles, ...rows].map((cells) => `${cells.join(';')}\r\n`).join('')}`
}

async function xlsx(...lines: Partial<Line>[]): Promise<Buffer> {
  const rows = lines.map((line) =>
    xlsxCells.row(productColumns.map(({ key }) => xlsxCells.text({ ...lion, ...line }[key]))),
  )
  const sheet = { name: 'Produits', columns: titles.map((title) => ({ title, width: 20 })) }
  return buffer(writeXlsx(sheet, batchOf(rows)))
}

async function* batchOf(rows: readonly string[]) {
  yield rows
}

async function setUp() {
  const { db, pool } = await testDatabase()
  const run = (content: string | Uint8Array, options?: Options) =>
    importProducts(pool, Readable.from([Buffer.from(content)]), options).then(({ errors, ...counts }) => ({
      ...counts,
      errors: errors.map(({ line, message }) => ({ line, message: plain(message) })),
    }))
  const refused = async (content: string | Uint8Array) => {
    const refusal = await run(content).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(AppError)
    return plain((refusal as AppError).message)
  }
  return { db, run, refused }
}

/** Returns every product with the values of its line in a file. */
async function everything(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select code, product.name, category.name as category, type.name as type, brand.name as brand, country, weight, format,
           origin, price::text, currency
      from product join product_type type on type.id = type_id join category on category.id = category_id
      left join brand on brand.id = brand_id order by code`.execute(db)
  return rows
}

test('a price with an ambiguous separator is read like its column, else refused', async () => {
  const { db, run } = await setUp()
  const alone = await run(csv({ price: '58,000' }))
  expect(alone).toMatchObject({
    added: 0,
    rejected: 1,
    errors: [{ line: 2, message: expect.stringContaining('écrivez 58 000, ou 58,00') }],
  })
  expect(
    await run(
      csv({ price: '58,000' }, { code: 'RIZ-2', price: '1,250.50' }, { code: 'RIZ-3', price: '2.50' }),
    ),
  ).toMatchObject({ added: 3, rejected: 0 })
  expect(await everything(db)).toMatchObject([
    { code: 'RIZ-1', price: '58000.00' },
    { code: 'RIZ-2', price: '1250.50' },
    { code: 'RIZ-3', price: '2.50' },
  ])
})

describe('a file of products', async () => {
  const { db, run, refused } = await setUp()

  test('creates them with the categories, types and brands that are missing, in one entry of the journal', async () => {
    const file = csv(
      {},
      { code: 'RIZ-2', brand: 'LION', price: '', currency: '' },
      {
        code: 'H-1',
        category: 'CEREALES',
        type: 'Huile',
        brand: '',
        country: '',
        price: '1 234,5',
        currency: 'USD',
      },
    )
    expect(await run(file, { isDryRun: true })).toMatchObject({ read: 3, added: 3 })
    expect(await everything(db)).toEqual([])
    expect(await run(file, { fileName: 'produits.csv' })).toEqual({
      read: 3,
      added: 3,
      existing: 0,
      rejected: 0,
      revised: 0,
      withdrawn: 0,
      notes: [],
      questions: [],
      reasons: [],
      currencies: [],
      errors: [],
      created: { markets: 0, categories: 1, types: 2, brands: 1, products: 3 },
      names: {
        markets: [],
        categories: ['Céréales'],
        types: ['Riz', 'Huile'],
        brands: ['Lion'],
        products: Array(3).fill('Riz parfumé · 25 kg · Sac'),
      },
    })
    expect(await everything(db)).toMatchObject([
      { code: 'H-1', category: 'Céréales', type: 'Huile', brand: null, price: '1234.50', currency: 'USD' },
      { code: 'RIZ-1', brand: 'Lion', country: 'Thaïlande', price: '62000.50' },
      { code: 'RIZ-2', brand: 'Lion', price: null, currency: 'CDF' },
    ])
    const entries = await db.selectFrom('audit_entry').selectAll().execute()
    expect(entries).toMatchObject([
      { action: 'import', entity: 'products', after: { file: 'produits.csv', added: 3 } },
    ])
    expect(await run(file)).toMatchObject({ read: 3, added: 0, existing: 3, rejected: 0 })
  })

  test('is refused line by line under the rules of the form, and its valid lines are written', async () => {
    const file = csv(
      { code: 'BON-1' },
      { code: '', name: ' ' },
      { code: 'P-1', price: '-4' },
      { code: 'P-2', price: '12,345' },
      { code: 'P-3', currency: 'EUR' },
      { code: 'P-4', currency: '' },
      { code: 'P-5', weight: 'x'.repeat(101) },
      { code: 'BON-2' },
    )
    const { added, rejected, errors } = await run(`${file}trop;court\r\n"ouvert;${';'.repeat(9)}\r\n`)
    expect({ added, rejected }).toEqual({ added: 2, rejected: 8 })
    expect(errors).toEqual([
      {
        line: 3,
        message: 'Code : ce champ est obligatoire ; Nom : ce champ est obligatoire.',
      },
      { line: 4, message: 'Prix : le montant doit être supérieur à zéro.' },
      { line: 5, message: 'Prix : deux décimales au plus.' },
      { line: 6, message: 'Devise : la devise est CDF ou USD.' },
      { line: 7, message: 'Devise : ce champ est obligatoire avec un prix.' },
      { line: 8, message: 'Poids : 100 caractères au plus.' },
      { line: 10, message: 'Le nombre de colonnes est faux : 2 au lieu de 11.' },
      { line: 11, message: 'Un guillemet est ouvert dans cette ligne et jamais fermé.' },
    ])
  })

  test('does not change an existing product: another value under its code is refused, naming the column', async () => {
    const before = await everything(db)
    const { existing, errors } = await run(
      csv(
        { type: 'RIZ', category: 'cereales' },
        { code: 'riz-1', name: 'Autre', price: '1' },
        { code: 'NEUF', name: 'Premier' },
        { code: 'neuf', name: 'Second' },
        { code: 'NEUF', name: 'Premier' },
      ),
    )
    expect({ existing, errors }).toEqual({
      existing: 2,
      errors: [
        {
          line: 3,
          message:
            'Le code « riz-1 » est déjà celui d’un produit enregistré, qui a d’autres valeurs dans « Nom », « Prix ».',
        },
        {
          line: 5,
          message:
            'Le code « neuf » est déjà celui du produit de la ligne 4, qui a une autre valeur dans « Nom ».',
        },
      ],
    })
    expect((await everything(db)).filter((each) => (each as Line).code !== 'NEUF')).toEqual(before)
  })

  test('may name its columns in any order, by title or key, with others between them', async () => {
    const file =
      'origin,format,weight,type,category,name,code,notre remarque\nRDC,Sac,1kg,Sel,Épicerie,Sel fin,SEL-1,à revoir\n'
    expect(await run(file)).toMatchObject({ added: 1, rejected: 0 })
  })

  test('may be in Windows-1252, as French spreadsheets save one', async () => {
    const file =
      'Code;Nom;Catégorie;Type;Poids;Format;Origine\nPÂTE-1;Pâtes;Épicerie;Pâtes;500 g;Sachet;RDC\n'
    const notes = [expect.stringContaining('Windows-1252')]
    expect(await run(Buffer.from(file, 'latin1'))).toMatchObject({ added: 1, rejected: 0, notes })
    expect(JSON.stringify(await everything(db))).toContain('Pâtes')
  })

  test.each([
    ['nothing', '', 'Ce fichier est vide.'],
    ['a CSV in UTF-16', Buffer.from(csv({}), 'utf16le'), 'UTF-16'],
    ['prices', 'date,market,price\n2026-01-01,Goma,1\n', 'n’est pas un fichier de produits'],
    [
      'a file without two columns',
      'Code;Nom;Type;Poids;Format\nA;B;C;D;E\n',
      'Colonnes absentes : Catégorie, Origine.',
    ],
    ['a file that names a column twice', `${csv({}).split('\r\n')[0]};Nom\r\n`, '« nom » figure deux fois'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), 'une image ou un PDF'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]), 'mot de passe'],
  ])('%s is refused as a whole, with what to do', async (_, content, said) => {
    expect(await refused(content)).toContain(said)
  })

  test('is read as a spreadsheet saves it, with empty columns and rows and titles in quotes', async () => {
    const { run } = await setUp()
    const [first = '', line = ''] = csv(lion).slice(1).split('\r\n')
    const head = `"Note; de Jean";${first.replaceAll(/[^;]+/g, '"$&"')};;`
    const text = `;;;\r\n${head}\r\na;${line};;\r\nb;${line.replace('RIZ-1', 'RIZ-2')}\r\n;;;;;\r\n`
    expect(await run(text)).toMatchObject({ read: 2, added: 2, errors: [] })
  })

  test('is read the same from a workbook, and a text that looks like a formula is still a text', async () => {
    const { db: other, run: runThere } = await setUp()
    const file = await xlsx(
      { code: 'X-1', name: '=1+1' },
      { code: 'X-2', price: '12,5', name: "'quoted" },
      { code: '' },
    )
    expect(await runThere(file)).toMatchObject({ read: 3, added: 2, rejected: 1, errors: [{ line: 4 }] })
    expect(await everything(other)).toMatchObject([{ name: '=1+1' }, { name: "'quoted", price: '12.50' }])
  })
})

const letters = [...'aZ9 ;,"\'=+-@|\\éç’字😀']
// Blanks are stored as single ordinary spaces.
const asKept = (text: string) => text.replaceAll(/ +/g, ' ').trim()
const hostile = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
  .map((text) => text.normalize())

test('an export is imported unchanged, in both formats, into its own database and another', async () => {
  const server = await testServer()
  const { db } = server
  const texts = fc
    .sample(hostile, { numRuns: 400, seed: 7 })
    .map((text, index) => asKept(`${text} n${index}`))
  const next = () => texts.pop() ?? ''
  for (let index = 0; index < 40; index++) {
    const type_id = await insertType(db, { name: next(), category_id: await insertCategory(db, next()) })
    const brand_id = index % 3 === 0 ? null : await insertBrand(db, next())
    const id = await insertProduct(db, { name: next(), code: next(), type_id, brand_id })
    const price = index % 4 === 0 ? null : index + 0.25
    const words = {
      weight: next(),
      origin: next(),
      format: next(),
      price,
      currency: index % 5 ? 'CDF' : 'USD',
    }
    await db.updateTable('product').set(words).where('id', '=', id).execute()
  }
  const wanted = await everything(db)
  const reader = await server.as('admin')
  for (const fileFormat of ['csv', 'xlsx']) {
    const { bytes } = await reader.send(`/api/products/export?fileFormat=${fileFormat}`, {})
    const there = await setUp()
    expect(await there.run(bytes)).toMatchObject({ read: 40, added: 40, errors: [] })
    expect(await everything(there.db)).toEqual(wanted)
    expect(await there.run(bytes)).toMatchObject({ read: 40, added: 0, existing: 40, rejected: 0 })
  }
})

test('the template names the columns, and its examples import nothing, alone or above real lines', async () => {
  const server = await testServer()
  const admin = await server.as('admin')
  for (const fileFormat of ['csv', 'xlsx']) {
    const { status, bytes } = await admin.send(`/api/products/import-template?fileFormat=${fileFormat}`, {})
    expect(status).toBe(200)
    const { db, run } = await setUp()
    expect(await run(bytes)).toMatchObject({ read: 0, added: 0, rejected: 0 })
    if (fileFormat === 'csv') {
      expect(await run(bytes.toString() + csv({}).replace(/^.*\r\n/, ''))).toMatchObject({
        read: 1,
        added: 1,
      })
      expect(await everything(db)).toMatchObject([{ code: 'RIZ-1' }])
    }
  }
})

test('wages, services and rates are recognised by their type, as in a file of prices', async () => {
  const { db, run } = await setUp()
  const types = ['Salaire journalier', 'Transport', 'Taux de change', 'Riz']
  await run(csv(...types.map((type, n) => ({ code: `P-${n}`, type }))))
  const made = await db.selectFrom('product_type').select(['name', 'kind']).orderBy('id').execute()
  expect(made.map(({ name, kind }) => [name, kind])).toEqual([
    ['Salaire journalier', 'wage'],
    ['Transport', 'service'],
    ['Taux de change', 'rate'],
    ['Riz', 'good'],
  ])
})

test('an import waits for a concurrent writer of the catalogue, and then finds the rows written', async () => {
  const { db, pool } = await testDatabase()
  const client = await pool.connect()
  await client.query('begin')
  await client.query("insert into category (name) values ('CÉRÉALES')")
  const importing = importProducts(pool, Readable.from([Buffer.from(csv({}))]))
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and locktype = 'relation'
           and database = (select oid from pg_database where datname = current_database())`.execute(db)
      return rows.length
    })
    .toBe(1)
  await client.query('commit')
  client.release()
  expect((await importing).created).toMatchObject({ categories: 0, types: 1, products: 1 })
  expect(await everything(db)).toMatchObject([{ category: 'CÉRÉALES' }])
})

test('an abandoned import leaves nothing', async () => {
  const { db, run } = await setUp()
  const controller = new AbortController()
  const onProgress = ({ stage }: { stage: string }) => {
    if (stage === 'writing') controller.abort(new Error('nobody wants it'))
  }
  await expect(run(csv({}), { signal: controller.signal, onProgress })).rejects.toThrow('nobody wants it')
  expect(await everything(db)).toEqual([])
  expect(await db.selectFrom('audit_entry').select('id').execute()).toEqual([])
})

test('ten times as many lines need only a few more statements', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  async function statementsFor(count: number): Promise<number> {
    const { run } = await setUp()
    const lines = Array.from({ length: count }, (_, index) => ({
      code: `P-${index}`,
      name: `Produit ${index}`,
      type: `Type ${index % 100}`,
      brand: `Marque ${index % 300}`,
    }))
    query.mockClear()
    expect(await run(await xlsx(...lines))).toMatchObject({ added: count, rejected: 0 })
    expect(await run(csv(...lines))).toMatchObject({ existing: count, rejected: 0 })
    return query.mock.calls.length
  }
  const few = await statementsFor(300)
  expect(few).toBeGreaterThan(2)
  expect(await statementsFor(3_000)).toBeLessThan(few + 10)
})
