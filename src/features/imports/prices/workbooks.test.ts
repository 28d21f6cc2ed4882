import { expect, test } from 'vitest'
import { priceFileColumns } from '#features/prices/exports/columns.contract.ts'
import { AppError } from '#server/errors.ts'
import { archive, workbookParts, workbookSheets } from '../../../../tests/support/archives.ts'
import { countAll, nothing, testImporter } from '../../../../tests/support/importer.ts'
import { wfpFile2023 } from '../../../../tests/support/price-files.ts'

const { db, run } = await testImporter()

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (cells: readonly string[]) => `<row>${cells.join('')}</row>`
const workbook = (...rows: readonly string[][]) => archive(workbookParts(rows.map(row).join('')))

const titles = priceFileColumns.map(({ title }) => text(title))
const price = {
  observed_on: text('03/05/2024'),
  collected_at: text('03/05/2024 09:30'),
  market: text('Virunga'),
  location: text('Goma'),
  latitude: '<c><v>-1.67</v></c>',
  longitude: '<c><v>29.23</v></c>',
  time_zone: text('Africa/Lubumbashi'),
  product_code: '<c><v>4012</v></c>',
  product: text("'=Riz"),
  category: text('Céréales'),
  type: text('Riz'),
  weight: text('25kg'),
  format: text('Sac'),
  price: text('1 500,50'),
  currency: text('CDF'),
  collector: text('Jean'),
  flag: text('relevé'),
}
const cellsOf = (change: Partial<typeof price>) => {
  const cells: Record<string, string> = { ...price, ...change }
  return priceFileColumns.map(({ key }) => cells[key] ?? '<c/>')
}

test.each<[string, () => string | Buffer, RegExp]>([
  ['an archive of something else', () => archive([{ name: 'prix.csv', content: wfpFile2023({}) }]), /abîmé/],
  ['a workbook cut in the middle', () => workbook(titles, cellsOf({})).subarray(0, 600), /abîmé/],
  ['a bomb', () => archive([{ name: 'a', content: Buffer.alloc(60 * 1024 * 1024) }]), /50.Mo/],
  ['one of more than 20 MB', () => `PK\u0003\u0004${'x'.repeat(21 * 1024 * 1024)}`, /trop grand.*CSV/],
  ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /ancien format \(XLS\)/],
  [
    'a table with a column filled beyond the two hundredth',
    () => workbook([...titles, ...Array(200).fill('<c/>'), text('Note')], cellsOf({})),
    /plus de 200.colonnes.*CSV/,
  ],
  ['an empty sheet', () => workbook([]), /vide/],
  ['another table', () => workbook([text('Nom'), text('Âge')]), /pas un fichier de prix/],
  [
    'a sheet without its prices',
    () => workbook(titles.filter((cell) => !cell.includes('>Prix<'))),
    /absente.: Prix/,
  ],
])('%s is refused as a whole in French, and writes nothing', async (_, make, message) => {
  const attempt = run(make())
  await expect(attempt).rejects.toThrow(AppError)
  await expect(attempt).rejects.toThrow(message)
  expect(await countAll(db)).toEqual(nothing)
})

test('a workbook filled in by users is read, and its bad rows are reported with their line', async () => {
  const file = workbook(
    [text('')],
    titles,
    cellsOf({}),
    cellsOf({ price: '<c><v>0.30000000000000004</v></c>', flag: text('agrégat') }),
    cellsOf({ price: text('') }),
    cellsOf({ observed_on: text('31/02/2024') }),
    [...cellsOf({ price: '<c><v>7</v></c>' }), text('une note')],
    [text(''), text('')],
    cellsOf({}).slice(0, 5),
  )
  const outcome = await run(file)
  expect(outcome).toMatchObject({ read: 6, added: 3, rejected: 3 })
  expect(outcome.errors).toEqual([
    { line: 5, message: 'Le prix est absent.' },
    { line: 6, message: expect.stringMatching(/31\/02\/2024.*n’existe pas/) },
    { line: 9, message: 'Le produit manque dans cette ligne.' },
  ])
  const prices = await db.selectFrom('price').selectAll().orderBy('price_value').execute()
  expect(prices.map(({ price_value }) => price_value)).toEqual([0.3, 7, 1500.5])
  for (const each of prices)
    expect(each).toMatchObject({ observed_on: '2024-05-03', collected_at: '2024-05-03T07:30:00.000Z' })
  const product = await db.selectFrom('product').selectAll().executeTakeFirst()
  expect(product).toMatchObject({ code: '4012', name: "'=Riz" })
})

test('a file of WFP saved as a workbook is read as well, without its line of tags', async () => {
  const lines = wfpFile2023({ market: 'Birere' }, { date: '2023-04-15' }).trimEnd().split('\n')
  const sheet = workbook(...lines.map((line) => line.split(',').map(text)))
  expect(await run(sheet)).toMatchObject({ read: 2, added: 2, rejected: 0 })
})

test('in a workbook of several sheets the first matching one is read, and the report names the others', async () => {
  const rows = (...lines: readonly string[][]) => lines.map(row).join('')
  const file = archive(
    workbookSheets([
      { name: 'Lisez-moi', sheetData: rows([text('Relevés de mai'), text('Ministère')]) },
      { name: 'Vide', sheetData: '' },
      { name: 'Mai', sheetData: rows(titles, cellsOf({ price: '<c><v>9</v></c>' })) },
      // A sheet that is not read may be of any width.
      { name: 'Juin', sheetData: rows([...titles, ...Array(200).fill('<c/>'), text('Note')]) },
    ]),
  )
  expect(await run(file)).toMatchObject({
    read: 1,
    added: 1,
    rejected: 0,
    notes: [
      expect.stringMatching(
        /^Seule la feuille «.Mai.» est lue\. .*«.Lisez-moi.», «.Vide.», «.Juin.», enregistrez chacune/,
      ),
    ],
  })
})
