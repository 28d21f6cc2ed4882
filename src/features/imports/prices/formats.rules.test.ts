import { describe, expect, test } from 'vitest'
import { priceTable } from '#features/imports/prices/formats.rules.ts'
import { priceFileColumns } from '#features/prices/exports/columns.contract.ts'
import { isTagLine } from '#shared/csv/header.ts'
import { readLayout, UnreadableTable } from '#shared/csv/layout.ts'
import { growth } from '../../../../tests/support/proportion.ts'

const wfp2023 =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice'
const wfp2025 =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice'
const human = priceFileColumns.map(({ title }) => title).join(';')
const machine = priceFileColumns.map(({ key }) => key).join(',')

function readHeader(text: string) {
  try {
    const layout = readLayout({ line: 1, text }, priceTable)
    return layout && { ...layout, kind: layout.format.name }
  } catch (error) {
    if (error instanceof UnreadableTable) return { refusal: error.message }
    throw error
  }
}

describe('the line of column titles', () => {
  test.each([
    ['HDX until 2023', wfp2023, 'wfp', ',', 14],
    ['HDX since 2025', wfp2025, 'wfp', ',', 16],
    ['HDX saved again by a spreadsheet in French', wfp2025.replaceAll(',', ';'), 'wfp', ';', 16],
    ['our export for people', human, 'ours', ';', 24],
    ['our export for programs', machine, 'ours', ',', 24],
  ] as const)('identifies the file of %s', (_, text, kind, separator, width) => {
    expect(readHeader(text)).toMatchObject({ kind, separator, width })
  })

  test('gives the position of each column, whatever the order, the case, the quotes and the columns between them', () => {
    const names = wfp2023.split(',').reverse()
    const layout = readHeader(`"${['Extra', ...names].join('"\t" ').toUpperCase()}"\r`)
    expect(layout).toMatchObject({ kind: 'wfp', separator: '\t', width: 15 })
    if (layout && 'columns' in layout) expect(layout.columns.get('date')).toBe(14)
  })

  test('takes time in proportion to its columns', () => {
    const grown = growth(10_000, (width) => {
      const many = Array.from({ length: width }, (_, index) => `c${index}`).join(',')
      expect(readHeader(`${many},${wfp2023}`)).toMatchObject({ kind: 'wfp', width: width + 14 })
    })
    expect(grown).toBeLessThan(64)
  })

  test('names no column twice', () => {
    expect(readHeader(`${wfp2023},Price`)).toEqual({
      refusal: 'La colonne «\u202fprice\u202f» figure deux fois dans la première ligne.',
    })
  })

  test('accepts our titles with the straight apostrophe of spreadsheets', () => {
    expect(readHeader(human.replace('’', "'"))).toMatchObject({ kind: 'ours' })
  })

  test.each(['date', 'market', 'commodity', 'unit', 'pricetype', 'currency', 'price', 'admin2'])(
    'is refused without the column %s, which it names',
    (name) => {
      const text = wfp2023
        .split(',')
        .filter((each) => each !== name)
        .join(',')
      expect(readHeader(text)).toEqual({ refusal: `Colonne absente\u00a0: ${name}.` })
    },
  )

  test('is refused with all the titles missing from our export', () => {
    const text = human.replace('Marché;', '').replace('Prix;', '')
    expect(readHeader(text)).toEqual({ refusal: 'Colonnes absentes\u00a0: Marché, Prix.' })
  })

  test.each(['a,b,c', '<!DOCTYPE html>', '{"date": 1}', '2023-01-15,Kinshasa,Gombe'])(
    'is not recognised as a list of prices when it reads %j',
    (text) => {
      expect(readHeader(text)).toMatchObject({ refusal: expect.stringContaining('pas un fichier de prix') })
    },
  )
})

describe('a line of tags', () => {
  test('has only cells that are blank or start with #', () => {
    expect(isTagLine(['#date', '', '#adm1+name'])).toBe(true)
    expect(isTagLine(['#date', 'Kinshasa'])).toBe(false)
    expect(isTagLine(['', ''])).toBe(false)
  })
})
