import { describe, expect, test } from 'vitest'
import { readCurrencyMap } from '#features/imports/prices/quotes.rules.ts'
import { readPriceFile as read, wfpFile2023, wfpFile2025 } from '../../../../tests/support/price-files.ts'

describe('a row of WFP', () => {
  test('is a price at a market, of a product made from a commodity, a unit and a price type', () => {
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
        wfp_id: null,
      },
    ])
    expect(batch.products).toEqual([
      {
        key: 0,
        code: null,
        new_code: 'WFP-RICE-MIXED-LOW-QUALITY-50-KG-GROS',
        name: 'Rice (mixed, low quality)',
        weight: '50 kg',
        format: 'Gros',
        category: 'Céréales et tubercules',
        type: 'Riz',
        brand: null,
        brand_country: null,
        origin: 'Non précisée',
        wfp_id: null,
        kind: 'good',
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
        readings: null,
        text: null,
        instant: null,
        local: null,
        cents: 9100046,
        otherCents: null,
        decimal: null,
        currency: 'CDF',
        flag: 'actual',
      },
    ])
  })

  test('gives the same in the files of 2023 and of 2025, except for its line', () => {
    const rows = [{}, { market: 'Birere' }, { pricetype: 'Farm Gate', priceflag: 'actual,aggregate' }]
    const [older, newer] = [read(wfpFile2023(...rows)), read(wfpFile2025(...rows))]
    expect(older.counts).toEqual({ ...newer.counts })
    const unnumbered = <T extends object>(part: T) => ({ ...part, wfp_id: null })
    expect(older.batch).toEqual({
      ...newer.batch,
      markets: newer.batch.markets.map(unnumbered),
      products: newer.batch.products.map(unnumbered),
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
    ['Rice (imported)', 'Riz', 'Importé'],
    ['Maize meal (local)', 'Farine et semoule de maïs', 'Local'],
    ['Wheat flour', 'Farine de froment', 'Non précisée'],
    ['Oil (palm)', 'Huile de palme', 'Non précisée'],
    ['Fonio (white)', 'Fonio', 'Non précisée'],
    ['(dried)', '(dried)', 'Non précisée'],
  ])('of %s is of the type %s and the origin %s', (commodity, type, origin) => {
    expect(read(wfpFile2025({ commodity })).batch.products[0]).toMatchObject({ type, origin })
  })

  test.each([
    ['KG', 'kg'],
    ['12.5 KG', '12.5 kg'],
    ['Unit', 'pièce'],
    ['30 pcs', '30 pièce'],
    ['Cuartilla', 'Cuartilla'],
  ])('in the unit %s weighs %s', (unit, weight) => {
    expect(read(wfpFile2025({ unit })).batch.products[0]?.weight).toBe(weight)
  })

  test.each([
    ['Wage (non-qualified labour)', 'wage'],
    ['Transport (public)', 'service'],
    ['Exchange rate (unofficial)', 'rate'],
    ['Fuel (diesel)', 'good'],
  ])('of %s is of the kind %s', (commodity, kind) => {
    expect(read(wfpFile2025({ commodity })).batch.products[0]?.kind).toBe(kind)
  })

  test('of a market without a unit gets its weight from its other fields', () => {
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
    [{ market: ' ' }, 'Le marché (market) manque dans cette ligne.'],
    [{ commodity: '' }, 'Le produit (commodity) manque dans cette ligne.'],
    [{ commodity: 'x'.repeat(201) }, 'Le produit (commodity) ne convient pas : 200 caractères au plus.'],
    [{ pricetype: 'Gift' }, 'Le type de prix « Gift » est inconnu.'],
    [{ pricetype: 'constructor' }, 'Le type de prix « constructor » est inconnu.'],
    [{ priceflag: '__proto__' }, 'La nature du prix « __proto__ » est inconnue.'],
    [{ priceflag: 'forecast', date: '2099-01-15' }, /prévision/],
    [{ currency: 'KES', date: '2099-01-15', price: '' }, /« KES »/],
    [{ latitude: '-91' }, 'Les coordonnées « -91 29.23 » ne sont pas celles d’un lieu.'],
    [{ market: 'a\u0000b' }, /^Le marché \(market\) ne convient pas/],
  ])('with %j is refused', (row, message) => {
    const { counts, batch } = read(wfpFile2023({}, row))
    expect(counts).toMatchObject({ read: 2, rejected: 1 })
    const wanted = typeof message === 'string' ? typeset(message) : expect.stringMatching(message)
    expect(counts.errors).toEqual([{ line: 4, message: wanted }])
    // Rows that only a refused row names are not stored.
    expect([batch.markets.length, batch.products.length, batch.prices.length]).toEqual([1, 1, 1])
  })

  test('may have today’s date at its market, where the day begins before it does in Kinshasa', () => {
    const late = new Date('2026-03-01T22:30:00Z')
    const { counts } = read(wfpFile2025({ date: '2026-03-02' }, { date: '2026-03-02', admin1: 'Kinshasa' }), {
      now: late,
    })
    expect(counts.errors.map(({ line }) => line)).toEqual([3])
  })

  test('in a currency that is read as another is accepted', () => {
    const map = readCurrencyMap(['XAF=CDF', 'xof=usd'])
    const { batch } = read(wfpFile2025({ currency: 'XAF' }, { currency: 'XOF' }, { currency: 'CDF' }), {
      currencyMap: map.value,
    })
    expect(batch.prices.map(({ currency }) => currency)).toEqual(['CDF', 'USD', 'CDF'])
  })

  test('saved again by a French spreadsheet is understood', () => {
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

describe('a map of currencies', () => {
  test.each(['XAF', 'XAF=EUR', 'XAF=', '=CDF', 'XAFR=CDF', ''])('does not read %j', (word) => {
    expect(readCurrencyMap([word]).reason).toMatch(/XAF=CDF/)
  })

  test('may contain several in one word', () => {
    expect(readCurrencyMap(['XAF=CDF,XOF=USD']).value).toEqual(
      new Map([
        ['XAF', 'CDF'],
        ['XOF', 'USD'],
      ]),
    )
  })
})

/** Returns a sentence with no-break spaces within guillemets and before a colon. */
function typeset(sentence: string): string {
  return sentence.replaceAll('« ', '«\u202f').replaceAll(' »', '\u202f»').replaceAll(' :', '\u00a0:')
}
