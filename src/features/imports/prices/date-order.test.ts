import { beforeEach, describe, expect, test } from 'vitest'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { testImporter } from '../../../../tests/support/importer.ts'
import { wfpFile2025 } from '../../../../tests/support/price-files.ts'

const { db, run } = await testImporter()
const file = (...dates: string[]) => wfpFile2025(...dates.map((date) => ({ date })))
const days = async () => {
  const rows = await db.selectFrom('price').select('observed_on').orderBy('observed_on').execute()
  return rows.map((row) => row.observed_on)
}

beforeEach(async () => {
  await db.deleteFrom('price').execute()
})

describe('dates with slashes in a file of WFP', () => {
  test.each([
    [['01/02/2006', '15/01/2006'], ['2006-01-15', '2006-02-01'], /jj\/mm\/aaaa/],
    [['1/2/2006', '1/15/2002'], ['2002-01-15', '2006-01-02'], /mm\/jj\/aaaa/],
  ])('%j are read as %j, because the whole column settles the order', async (dates, wanted, note) => {
    const outcome = await run(file(...dates))
    expect(outcome).toMatchObject({ read: 2, added: 2, rejected: 0, notes: [expect.stringMatching(note)] })
    expect(await days()).toEqual(wanted)
    // The same file saved by a French spreadsheet.
    await db.deleteFrom('price').execute()
    expect(await run(file(...dates).replaceAll(',', ';'))).toMatchObject({ read: 2, added: 2, rejected: 0 })
    expect(await days()).toEqual(wanted)
  })

  test.each([
    ['do not settle it', ['01/02/2006', '03/04/2006'], /Aucune date du fichier/],
    ['contradict one another', ['15/01/2006', '1/15/2006'], /se contredisent/],
  ])('that %s are refused, without affecting others', async (_, dates, reason) => {
    const outcome = await run(file(...dates, '2023-03-15'))
    expect(outcome).toMatchObject({
      read: 3,
      added: 1,
      rejected: 2,
      notes: [],
      reasons: [{ message: expect.stringMatching(reason), count: 2, example: { line: 2 } }],
    })
    expect(await days()).toEqual(['2023-03-15'])
    const nothing = await run(wfpFile2025(...dates.map((date) => ({ date, market: 'Ailleurs' }))))
    expect(nothing).toMatchObject({ added: 0, rejected: 2, created: { markets: 0 } })
  })

  test('in refused rows also settle the order, or contradict it', async () => {
    const rows = [{ date: '01/02/2006' }, { date: '15/01/2006', price: '0' }]
    expect(await run(wfpFile2025(...rows))).toMatchObject({ added: 1, rejected: 1 })
    expect(await days()).toEqual(['2006-02-01'])
    const against = { date: '1/15/2006', pricetype: 'Auction' }
    expect(await run(wfpFile2025(...rows, against))).toMatchObject({ added: 0, rejected: 3 })
  })

  test('in refused rows of any table settle the order too', async () => {
    const titles = ['day', 'market', 'product', 'price']
    const columns = Object.fromEntries(titles.map((column) => [column, { column }]))
    const mapping: Mapping = {
      name: null,
      titles,
      decimal: ',',
      dateOrder: 'auto',
      names: { markets: {}, products: {} },
      fields: { ...columns, currency: { value: 'CDF' } },
    }
    const table = 'day,market,product,price\n1/2/2006,Zando,Sel,500\n1/25/2006,Zando,Sel,0'
    expect(await run(table, { mapping })).toMatchObject({ added: 1, rejected: 1 })
    expect(await days()).toEqual(['2006-01-02'])
  })

  test('are refused one by one when the day does not exist, or is in the future', async () => {
    const outcome = await run(file('15/01/2006', '31/02/2006', '32/01/2006', '15/01/2999'))
    expect(outcome).toMatchObject({ read: 4, added: 1, rejected: 3 })
    expect(outcome.errors.map(({ line }) => line)).toEqual([3, 4, 5])
  })
})
