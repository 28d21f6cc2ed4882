import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import { priceFileReader, UnreadableFile } from '#features/prices/imports/file.rules.ts'
import { readCurrencyMap } from '#features/prices/imports/quotes.rules.ts'
import { ourFile, wfpFile2023, wfpFile2025 } from '../../../../tests/support/price-files.ts'

const now = new Date('2026-03-01T12:00:00Z')
const encoder = new TextEncoder()

const ourRow = {
  observed_on: '2024-05-03',
  collected_at: '2024-05-03T09:30:00+02:00',
  market: 'Virunga',
  location: 'Goma',
  product_code: 'RIZ-1',
  product: 'Riz',
  category: 'Céréales',
  type: 'Riz',
  weight: '25kg',
  format: 'Sac',
  price: '1500.50',
  currency: 'CDF',
  collector: 'Jean',
  flag: 'actual',
}

describe('a row of WFP', () => {
  test('is a price at a market, of a product that is a commodity, a unit and a price type', () => {
    const { batch, counts } = read(
      wfpFile2023({
        commodity: 'Rice (mixed, low quality)',
        unit: '50 KG',
        pricetype: 'Wholesale',
        price: '91000.456',
      }),
    )
    expect(counts).toMatchObject({ read: 1, rejected: 0, errors: [] })
    expect(batch.markets).toEqual([
      {
        key: 0,
        name: 'Virunga',
        location: 'Goma',
        province: 'Nord-Kivu',
        latitude: '-1.67',
        longitude: '29.23',
        time_zone: 'Africa/Lubumbashi',
      },
    ])
    expect(batch.products).toEqual([
      {
        key: 0,
        code: null,
        new_code: 'WFP-RICE-MIXED-LOW-QUALITY-50-KG-GROS',
        name: 'Rice (mixed, low quality)',
        weight: '50 KG',
        format: 'Gros',
        category: 'cereals and tubers',
        type: 'Rice',
        brand: null,
        brand_country: null,
        origin: 'Non précisée',
      },
    ])
    expect(batch.origins).toEqual([{ key: 0, collector: 'WFP', source: 'WFP (HDX)' }])
    expect(batch.prices).toEqual([
      {
        line: 3,
        market: 0,
        product: 0,
        origin: 0,
        day: '2023-03-15',
        instant: null,
        cents: 9100046,
        currency: 'CDF',
        flag: 'actual',
      },
    ])
  })

  test('gives the same in the file of 2023 and in that of 2025, but for its line', () => {
    const rows = [{}, { market: 'Birere' }, { pricetype: 'Farm Gate', priceflag: 'actual,aggregate' }]
    const [older, newer] = [read(wfpFile2023(...rows)), read(wfpFile2025(...rows))]
    expect(older.counts).toEqual({ ...newer.counts })
    expect(older.batch).toEqual({
      ...newer.batch,
      prices: newer.batch.prices.map((price) => ({ ...price, line: price.line + 1 })),
    })
  })

  test.each([
    ['Retail', 'Détail'],
    ['Wholesale', 'Gros'],
    ['Producer', 'Producteur'],
    ['Farm Gate', 'Producteur'],
  ])('of the price type %s has the format %s', (pricetype, format) => {
    expect(read(wfpFile2025({ pricetype })).batch.products[0]?.format).toBe(format)
  })

  test.each([
    ['Rice (imported)', 'Rice', 'Importé'],
    ['Maize meal (local)', 'Maize meal', 'Local'],
    ['Wheat flour', 'Wheat flour', 'Non précisée'],
    ['(dried)', '(dried)', 'Non précisée'],
  ])('of %s is of the type %s and the origin %s', (commodity, type, origin) => {
    expect(read(wfpFile2025({ commodity })).batch.products[0]).toMatchObject({ type, origin })
  })

  test('of a market whose unit is not told is placed by what is known', () => {
    const places = (row: object) => read(wfpFile2025(row)).batch.markets[0]
    expect(places({ admin2: '' })).toMatchObject({ location: 'Nord-Kivu', province: 'Nord-Kivu' })
    expect(places({ admin1: 'Administrative unit not available' })).toMatchObject({
      location: 'Goma',
      province: null,
    })
    expect(places({ admin1: '', admin2: '', latitude: '', longitude: '' })).toMatchObject({
      location: 'Non précisé',
      province: null,
      latitude: null,
      time_zone: 'Africa/Kinshasa',
    })
  })

  test.each([
    [{ currency: 'XAF' }, 'La devise « XAF » n’est ni CDF ni USD.'],
    [{ currency: '' }, 'La devise est absente.'],
    [{ price: '0' }, 'Le prix « 0 » n’est pas supérieur à zéro.'],
    [{ price: '-5' }, 'Le prix « -5 » n’est pas supérieur à zéro.'],
    [{ price: 'cher' }, 'Le prix « cher » n’est pas un nombre.'],
    [{ date: '2026-03-02' }, 'La date « 2026-03-02 » est dans le futur.'],
    [{ date: '2023-02-30' }, 'La date « 2023-02-30 » n’existe pas.'],
    [{ date: 'mars 2023' }, 'La date « mars 2023 » est illisible (aaaa-mm-jj attendu).'],
    [{ market: ' ' }, 'Le marché (market) n’est pas indiqué dans cette ligne.'],
    [{ commodity: '' }, 'Le produit (commodity) n’est pas indiqué dans cette ligne.'],
    [{ commodity: 'x'.repeat(201) }, 'Le produit (commodity) est refusé : 200 caractères au plus.'],
    [{ pricetype: 'Gift' }, 'Le type de prix « Gift » est inconnu.'],
    [{ priceflag: 'forecast' }, 'La nature du prix « forecast » est inconnue.'],
    [{ latitude: '-91' }, 'Les coordonnées « -91 29.23 » ne sont pas celles d’un lieu.'],
    [{ market: 'a\u0000b' }, /^Le marché \(market\) est refusé/],
  ])('with %j is refused', (row, message) => {
    const { counts, batch } = read(wfpFile2023({}, row))
    expect(counts).toMatchObject({ read: 2, rejected: 1 })
    const wanted = typeof message === 'string' ? typeset(message) : expect.stringMatching(message)
    expect(counts.errors).toEqual([{ line: 4, message: wanted }])
    // Nothing that only a refused row speaks of is kept.
    expect([batch.markets.length, batch.products.length, batch.prices.length]).toEqual([1, 1, 1])
  })

  test('may be dated of today at its market, where the day begins before it does in Kinshasa', () => {
    const late = new Date('2026-03-01T22:30:00Z')
    const { counts } = read(wfpFile2025({ date: '2026-03-02' }, { date: '2026-03-02', admin1: 'Kinshasa' }), {
      now: late,
    })
    expect(counts.errors.map(({ line }) => line)).toEqual([3])
  })

  test('in a currency that is read as another is taken', () => {
    const map = readCurrencyMap(['XAF=CDF', 'xof=usd'])
    const { batch } = read(wfpFile2025({ currency: 'XAF' }, { currency: 'XOF' }, { currency: 'CDF' }), {
      currencyMap: map.value,
    })
    expect(batch.prices.map(({ currency }) => currency)).toEqual(['CDF', 'USD', 'CDF'])
  })

  test('saved again by a spreadsheet in French is understood', () => {
    const [header = '', row = ''] = wfpFile2025({
      date: '15/03/2023',
      price: 'PRIX',
      latitude: '-1~67',
    }).split('\n')
    const lines = [header, row].map((line) => line.replaceAll(',', ';').replace('~', ','))
    const { batch, counts } = read(`\ufeff${lines.join('\r\n')}`.replace('PRIX', '1 500,5'))
    expect(counts.errors).toEqual([])
    expect(batch.prices).toMatchObject([{ day: '2023-03-15', cents: 150050 }])
  })
})

describe('a row of our own export', () => {
  test.each(['human', 'machine'] as const)('of the %s variant is read as it was written', (variant) => {
    const written = variant === 'human' ? { ...ourRow, price: '1500,50', flag: 'relevé' } : ourRow
    const { batch, counts } = read(ourFile(variant, { ...written, source: "'=A1", brand: 'Simba' }))
    expect(counts.errors).toEqual([])
    expect(batch.prices).toMatchObject([
      { day: '2024-05-03', instant: '2024-05-03T07:30:00.000Z', cents: 150050 },
    ])
    expect(batch.products).toMatchObject([{ code: 'RIZ-1', new_code: 'RIZ-1', brand: 'Simba' }])
    expect(batch.origins).toEqual([{ key: 0, collector: 'Jean', source: '=A1' }])
  })

  test.each([
    [{ collected_at: '2024-05-02T23:59:00+02:00' }, /n’est pas du 2024-05-03/],
    [{ collected_at: 'hier' }, /illisible/],
    [{ time_zone: 'Europe/Paris' }, /fuseau horaire/],
    [{ flag: 'actua' }, /nature du prix/],
    [{ flag: '' }, /nature du prix/],
    [{ collector: '' }, /collecteur n’est pas indiqué/],
    [{ product_code: 'x'.repeat(101) }, /code du produit est refusé/],
  ])('with %j is refused', (change, message) => {
    const { counts } = read(ourFile('machine', { ...ourRow, ...change }))
    expect(counts.errors).toEqual([{ line: 2, message: expect.stringMatching(message) }])
  })

  test('without a code is named by what it is, and without an instant by its day alone', () => {
    const { batch } = read(ourFile('machine', { ...ourRow, product_code: '', collected_at: '' }))
    expect(batch.products).toMatchObject([{ code: null, new_code: 'RIZ-25KG-SAC', origin: 'Non précisée' }])
    expect(batch.prices).toMatchObject([{ instant: null, flag: 'actual' }])
  })

  test('of a file that knows no flags is an actual price', () => {
    const text = ourFile('machine', ourRow).replaceAll(/,[a-z]+\n/g, '\n')
    expect(read(text)).toMatchObject({ counts: { rejected: 0 }, batch: { prices: [{ flag: 'actual' }] } })
  })
})

describe('a file', () => {
  test('with carriage returns, a byte order mark and blank lines is read all the same', () => {
    const text = `\ufeff\n${wfpFile2023({}, { market: 'Birere' })}\n\n`.replaceAll('\n', '\r\n')
    expect(read(text).counts).toMatchObject({ read: 2, rejected: 0 })
  })

  test('that a spreadsheet marked with its separator is read all the same', () => {
    expect(read(`sep=,\n${wfpFile2025({})}`).counts).toMatchObject({ read: 1, rejected: 0 })
  })

  test('with rows of too few or too many columns loses only these', () => {
    const text = `${wfpFile2025({}, { market: 'Birere' })}2023-03-15,Kinshasa\n${'x,'.repeat(16)}\n`
    expect(read(text).counts).toEqual({
      read: 4,
      rejected: 2,
      undecodable: 0,
      errors: [
        { line: 4, message: typeset('Le nombre de colonnes est faux : 2 au lieu de 16.') },
        { line: 5, message: typeset('Le nombre de colonnes est faux : 17 au lieu de 16.') },
      ],
    })
  })

  test('cut short within its last line loses only that one', () => {
    const text = wfpFile2025({}, { market: 'Birere' })
    expect(read(text.slice(0, -20)).counts).toMatchObject({ read: 2, rejected: 1 })
    const ours = ourFile('machine', ourRow, { ...ourRow, product_code: 'RIZ-2' })
    for (let cut = 2; cut < 12; cut++) {
      expect(read(ours.slice(0, -cut)).counts).toMatchObject({ read: 2, rejected: 1 })
    }
  })

  test('without rows is read, and holds nothing', () => {
    expect(read(wfpFile2023()).counts).toMatchObject({ read: 0, rejected: 0 })
    expect(read(wfpFile2025().trim()).counts).toMatchObject({ read: 0, rejected: 0 })
  })

  test('keeps few of many refusals, and counts them all', () => {
    const rows = Array.from({ length: 20 }, () => ({ currency: 'XAF' }))
    const { counts } = read(wfpFile2025(...rows))
    expect(counts).toMatchObject({ read: 20, rejected: 20 })
    expect(counts.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  test('in which some rows are no UTF-8 loses these', () => {
    const bytes = Buffer.from(wfpFile2025({}, { market: 'March\u00e9' }), 'latin1')
    expect(read(bytes).counts).toMatchObject({ read: 2, rejected: 1, errors: [{ line: 3 }] })
  })

  test.each([
    ['is empty', '', 'Ce fichier est vide.'],
    ['holds blank lines only', '\n \n\n', 'Ce fichier est vide.'],
    ['is all in Latin-1', Buffer.from(wfpFile2025({ market: 'March\u00e9' }), 'latin1'), /UTF-8/],
    ['has a header in Latin-1', Buffer.from(ourFile('human', {}).slice(1), 'latin1'), /UTF-8/],
    ['is in UTF-16', Buffer.from(`\ufeff${wfpFile2025({})}`, 'utf16le'), /UTF-16/],
    ['is in UTF-16 without its mark', Buffer.from(wfpFile2025({}), 'utf16le'), /UTF-16/],
    ['is a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000\u0000\u0000\nreste', 'latin1'), /classeur/],
    ['lacks a column', wfpFile2025({}).replace(',price,', ',prix,'), /Colonne absente/],
    ['is one endless line', 'x'.repeat(2_000_000), /pas un fichier de prix/],
    ['is something else', 'bonjour\n', /pas un fichier de prix/],
  ])('that %s is refused as a whole', (_, content, message) => {
    expect(() => read(content)).toThrow(UnreadableFile)
    expect(() => read(content)).toThrow(message)
  })

  test('of any bytes gives the same result however they are cut', () => {
    const rows = wfpFile2025({}, { market: 'Marché' }, { price: '0' }, { commodity: 'Riz, "local"' })
    const damage = fc.array(fc.tuple(fc.nat(rows.length), fc.constantFrom(0x22, 0x0a, 0x2c, 0xff, 0x0d)), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(damage, fc.integer({ min: 1, max: 50 }), (changes, size) => {
        const bytes = encoder.encode(rows)
        for (const [place, byte] of changes) bytes[place] = byte
        expect(outcomeOf(bytes, size)).toEqual(outcomeOf(bytes, 10_000))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a map of currencies', () => {
  test.each(['XAF', 'XAF=EUR', 'XAF=', '=CDF', 'XAFR=CDF', ''])('does not read %j', (word) => {
    expect(readCurrencyMap([word]).reason).toMatch(/XAF=CDF/)
  })

  test('may hold several in one word', () => {
    expect(readCurrencyMap(['XAF=CDF,XOF=USD']).value).toEqual(
      new Map([
        ['XAF', 'CDF'],
        ['XOF', 'USD'],
      ]),
    )
  })
})

type Options = Parameters<typeof priceFileReader>[0]

function read(content: string | Uint8Array, changes: Partial<Options> = {}, size = 10_000) {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  const file = priceFileReader(
    { now, currencyMap: new Map(), timeZoneOf: timeZoneOfProvince, ...changes },
    10,
  )
  for (let start = 0; start < bytes.length; start += size) file.read(bytes.subarray(start, start + size))
  file.end()
  return { batch: file.takeBatch(), counts: file.counts() }
}

function outcomeOf(bytes: Uint8Array, size: number) {
  try {
    return read(bytes, {}, size)
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
}

/** A sentence as it is typeset: no line may break within guillemets or before a colon. */
function typeset(sentence: string): string {
  return sentence.replaceAll('« ', '«\u00a0').replaceAll(' »', '\u00a0»').replaceAll(' :', '\u00a0:')
}
