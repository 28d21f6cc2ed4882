import { describe, expect, test } from 'vitest'
import { archive, workbookParts } from '../../../../tests/support/archives.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { importingServer } from '../../../../tests/support/foreign-tables.ts'
import { checkedImport, move } from '../../../../tests/support/imports.ts'
import { ourFile, ourRow } from '../../../../tests/support/price-files.ts'

const { admin, db, described, prices } = await importingServer()

const table = (...amounts: string[]) =>
  [
    'Date;Marché;Produit;Prix (FC)',
    ...amounts.map((amount, at) => `2026-03-0${at + 1};Zando;Riz;${amount}`),
  ].join('\n')

/** Returns the report of a mapped file, and the amounts after it is confirmed. */
async function imported(content: string | Uint8Array, changes: object = {}) {
  const { id, proposal } = await described(content)
  const { report } = await move(admin, id, 'map', { ...proposal, ...changes })
  await move(admin, id, 'confirm')
  const values = (await prices()).map((price: object) => Object(price).value)
  await move(admin, id, 'undo')
  return { report, values }
}

describe('an amount with an ambiguous thousands or decimal separator', () => {
  test.each([
    [['58,000', '57,500.50'], [58_000, 57_500.5], 'un point'],
    [['58.000', '57.500,50'], [58_000, 57_500.5], 'une virgule'],
    [['58.000', '61,25'], [58_000, 61.25], 'une virgule'],
    [['2.500', '2.75'], [2.5, 2.75], 'un point'],
    [['58,000', '1,234,567'], [58_000, 1_234_567], 'un point'],
  ])('is read like the other amounts of its column: %j', async (amounts, expected, words) => {
    const { report, values } = await imported(table(...amounts))
    expect(values).toEqual(expected)
    expect(report?.notes).toEqual([expect.stringContaining(`avec ${words} devant les décimales`)])
  })

  test('is read like the other amounts of its product', async () => {
    const { report, values } = await imported(table('58,000', '57 500', '58000'))
    expect(values).toEqual([58_000, 57_500, 58_000])
    expect(report?.notes).toEqual([expect.stringContaining('les derniers prix de ces produits')])
  })

  test('is refused with the possible readings where nothing decides', async () => {
    const alone = await imported(table('58,000', '57.500'))
    expect(alone.values).toEqual([])
    expect(alone.report).toMatchObject({
      rejected: 2,
      reasons: [{ count: 2, message: expect.stringContaining('«\u202fDécimales des prix\u202f»') }],
    })
    expect((await imported(table('58,000'), { decimal: '.' })).values).toEqual([58_000])
    expect((await imported(table('58,000'), { decimal: ',' })).values).toEqual([58])
    const contradictory = await imported(table('58,000', '1,5', '2.5'))
    expect(contradictory.report).toMatchObject({ added: 2, rejected: 1 })
  })

  test('has no invisible characters', async () => {
    expect((await imported(table('\u200b58\u200b000', '1\u2060 500,5 FC'))).values).toEqual([58_000, 1500.5])
  })

  test('in a workbook, is not read like its number cells, which always have a point', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const row = (day: string, price: string) =>
      `<row>${['Zando', 'Riz'].map(text).join('')}${text(day)}${price}</row>`
    const head = `<row>${['Marché', 'Produit', 'Date', 'Prix (FC)'].map(text).join('')}</row>`
    const amounts = ['<c><v>2500</v></c>', '<c><v>1333.33</v></c>', text('12.500')]
    const rows = amounts.map((amount, at) => row(`2026-03-0${at + 1}`, amount))
    const { values } = await imported(archive(workbookParts([head, ...rows].join(''))))
    expect(values).toEqual([2500, 1333.33, 12_500])
  })

  test('is read near the last prices of its series', async () => {
    const productId = await insertProduct(db, { name: 'Haricot', weight: 'kg', format: 'Détail' })
    const marketId = await insertMarket(db, { name: 'Gambela', location: 'Kinshasa' })
    const id = await insertPrice(db, {
      product_id: productId,
      market_id: marketId,
      day: '2026-02-01',
      price_value: 3400,
    })
    const beans = 'Date;Marché;Ville;Produit;Unité;Prix (FC)\n2026-03-01;Gambela;Kinshasa;Haricot;kg;3,500\n'
    const { values, report } = await imported(beans)
    expect(values).toEqual([3400, 3500])
    expect(report?.notes).toEqual([expect.stringContaining('les derniers prix')])
    await db.deleteFrom('price').where('id', '=', id).execute()
  })
})

const ours = (...amounts: string[]) =>
  ourFile(
    'human',
    ...amounts.map((price, at) => ({
      ...ourRow,
      price,
      observed_on: `0${at + 1}/05/2024`,
      collected_at: '',
      flag: 'relevé',
    })),
  )

test('an ambiguous amount in our own file, edited by hand, is handled in the same way', async () => {
  const { report } = await checkedImport(admin, ours('58,000'))
  expect(report?.reasons).toMatchObject([
    { message: expect.stringContaining('Écrivez les milliers sans signe') },
  ])
  const told = await checkedImport(admin, ours('58,000', '57,5'))
  expect(told.report).toMatchObject({
    added: 2,
    rejected: 0,
    notes: [expect.stringContaining('une virgule')],
  })
})
