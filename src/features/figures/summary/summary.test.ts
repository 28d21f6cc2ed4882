import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertProduct, insertType } from '../../../../tests/support/catalogue.ts'
import { insertQuotes } from '../../../../tests/support/random-prices.ts'
import { summaryWorld } from '../../../../tests/support/summaries.ts'

const {
  db,
  reader,
  places,
  productId,
  otherProduct,
  marketId,
  eastern,
  quote,
  dollars,
  summarise,
  setRates,
} = await summaryWorld()

describe('the summary of prices', () => {
  test('of no prices has no figures, and says so', async () => {
    await insertQuotes(db, [quote('2026-01-01', 5)], places)
    for (const query of [
      { endDate: '2025-12-31' },
      { productId: otherProduct },
      { marketId: 999_999_999_999 },
    ]) {
      expect(await summarise(query)).toEqual({
        currency: 'CDF',
        isEstimate: false,
        totalPrices: 0,
        excluded: 0,
        averagePrice: null,
        minPrice: null,
        maxPrice: null,
        atOldRate: 0,
        priceTrend: null,
        inflation: null,
        change: null,
        unmeasured: null,
        unlinked: null,
        index: [],
        earlierIndex: [],
        matchedSeries: 0,
        isTooLarge: false,
        asOf: null,
        knownSeries: 0,
        pricedDays: 0,
        pricedProducts: 0,
        silentMarkets: 0,
        lastCollectedAt: null,
        currencyDistribution: [],
        marketDistribution: [],
        productDistribution: [],
        dailyPrices: [],
      })
    }
  })

  test('converts dollars at the rate of the day, else at the last one before; excludes those older than any rate', async () => {
    await setRates({ '2026-01-02': 2000, '2026-01-05': 2500 })
    const sent = [
      dollars('2026-01-01', 7),
      dollars('2026-01-02', 1),
      dollars('2026-01-04', 2.5),
      dollars('2026-01-05', 1),
      quote('2026-01-01', 1000),
    ]
    await insertQuotes(db, sent, places)
    for (const query of [{}, { productId }, { marketId }, { productId, marketId }]) {
      expect(await summarise(query)).toMatchObject({
        totalPrices: 4,
        excluded: 1,
        averagePrice: (2000 + 5000 + 2500 + 1000) / 4,
        minPrice: 1000,
        maxPrice: 5000,
        currencyDistribution: [
          { currency: 'CDF', count: 1 },
          { currency: 'USD', count: 3 },
        ],
        productDistribution: [{ id: productId, name: 'Riz', weight: '1kg', count: 4 }],
        marketDistribution: [{ id: marketId, name: 'Zando', count: 4 }],
        dailyPrices: [
          { date: '2026-01-01', count: 1, averagePrice: 1000 },
          { date: '2026-01-02', count: 1, averagePrice: 2000 },
          { date: '2026-01-04', count: 1, averagePrice: 5000 },
          { date: '2026-01-05', count: 1, averagePrice: 2500 },
        ],
      })
    }
  })

  test('of several products includes only goods; of one product, any kind', async () => {
    const wages = await insertProduct(db, { type_id: await insertType(db, { kind: 'wage' }) })
    await insertQuotes(
      db,
      [
        quote('2026-01-05', 1000),
        quote('2026-01-06', 3000),
        { ...quote('2026-01-06', 9000), productId: wages },
      ],
      places,
    )
    expect(await summarise()).toMatchObject({
      totalPrices: 2,
      averagePrice: 2000,
      maxPrice: 3000,
      knownSeries: 1,
    })
    expect(await summarise({ marketId })).toMatchObject({ totalPrices: 2 })
    expect(await summarise({ productId: wages })).toMatchObject({ totalPrices: 1, averagePrice: 9000 })
    await sql`update product_type set kind = 'good' where kind <> 'good'`.execute(db)
  })

  test('uses a corrected rate at once, in every figure', async () => {
    await setRates({ '2026-01-01': 2000 })
    await insertQuotes(db, [quote('2026-01-01', 2000), dollars('2026-01-20', 1)], places)
    expect(await summarise()).toMatchObject({ averagePrice: 2000, change: { value: 0 } })
    await setRates({ '2026-01-15': 3000 })
    const summary = await summarise()
    expect(summary).toMatchObject({ averagePrice: 2500, maxPrice: 3000 })
    expect(summary.change?.value).toBeCloseTo(0.5, 9)
  })

  test('drops its cached series at every write that moves them, and caches them otherwise', async () => {
    const period = { startDate: '2026-01-01', endDate: '2026-01-09' }
    await setRates({ '2025-12-01': 2000 })
    const sent = [
      quote('2026-01-01', 100),
      quote('2026-01-09', 121),
      quote('2026-01-09', 400, { productId: otherProduct }),
      // A second series whose price does not change.
      quote('2026-01-01', 5, { marketId: eastern }),
      quote('2026-01-09', 5, { marketId: eastern }),
    ]
    const [, late = 0, other = 0] = await insertQuotes(db, sent, places)
    const readChange = async () => (await summarise(period)).change?.value
    expect(await readChange()).toBeCloseTo(0.1, 9)
    expect(await readChange()).toBeCloseTo(0.1, 9)
    // Two prices swap their products, so that the sums of each day stay the same.
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('price').set({ product_id: otherProduct }).where('id', '=', late).execute()
      await tx.updateTable('price').set({ product_id: productId }).where('id', '=', other).execute()
    })
    expect(await readChange()).toBeCloseTo(1, 9)
    await db.updateTable('price').set({ currency: 'USD' }).where('id', '=', other).execute()
    expect(await readChange()).toBeCloseTo(Math.sqrt(8000) - 1, 6)
    await setRates({ '2026-01-05': 2500 })
    expect(await readChange()).toBeCloseTo(Math.sqrt(10_000) - 1, 6)
    await db.deleteFrom('exchange_rate').where('day', '=', '2026-01-05').execute()
    expect(await readChange()).toBeCloseTo(Math.sqrt(8000) - 1, 6)
    await db.deleteFrom('price').where('id', '=', other).execute()
    expect(await readChange()).toBeCloseTo(0, 9)
  })

  test('names products and markets by their current names', async () => {
    await insertQuotes(db, [quote('2026-01-01', 100), quote('2026-01-09', 121)], places)
    await summarise()
    await db.updateTable('product').set({ name: 'Riz long' }).where('id', '=', productId).execute()
    expect((await summarise()).productDistribution).toMatchObject([
      { id: productId, name: 'Riz long', count: 2 },
    ])
    await db.updateTable('product').set({ name: 'Riz' }).where('id', '=', productId).execute()
  })

  test('follows every filter of the list', async () => {
    await setRates({ '2025-12-01': 2000 })
    const sent = [
      quote('2026-01-01', 100, { collectorName: 'Amina' }),
      quote('2026-01-02', 300, { collectorName: 'Bosco' }),
      dollars('2026-01-02', 1, { productId: otherProduct, marketId: eastern }),
    ]
    await insertQuotes(db, sent, places)
    const figures = async (query: Record<string, string>) => {
      const { totalPrices, averagePrice, productDistribution } = await summarise(query)
      const list = await reader.get(`/api/prices?${new URLSearchParams(query)}`)
      expect(list.body).toMatchObject({ pagination: { total: totalPrices } })
      expect(productDistribution.reduce((sum, { count }) => sum + count, 0)).toBe(totalPrices)
      return [totalPrices, averagePrice]
    }
    expect(await figures({ search: 'riz' })).toEqual([2, 200])
    expect(await figures({ search: 'zando riz' })).toEqual([2, 200])
    expect(await figures({ search: 'kenya' })).toEqual([1, 2000])
    expect(await figures({ currency: 'USD' })).toEqual([1, 2000])
    expect(await figures({ minPrice: '200' })).toEqual([1, 300])
    expect(await figures({ maxPrice: '200', productId: `${productId}` })).toEqual([1, 100])
    expect(await figures({ collectorName: 'bosco' })).toEqual([1, 300])
    expect(await figures({ search: 'inconnu' })).toEqual([0, null])
  })

  test('counts the markets silent for more than 14 days at the end of the period or today, and the prices converted at an old rate', async () => {
    await setRates({ '2025-12-20': 2000 })
    const sent = [
      quote('2026-01-01', 100, { marketId: eastern }),
      dollars('2026-01-02', 1),
      quote('2026-01-20', 100),
    ]
    await insertQuotes(db, sent, places)
    expect(await summarise()).toMatchObject({ silentMarkets: 2, atOldRate: 1 })
    for (const [endDate, silentMarkets] of [
      ['2026-01-15', 0],
      ['2026-01-16', 1],
      ['2026-01-17', 2],
      ['2026-01-20', 1],
      ['2100-01-01', 2],
    ]) {
      expect(await summarise({ endDate })).toMatchObject({ silentMarkets })
    }
    expect(await summarise({ marketId, endDate: '2026-01-20' })).toMatchObject({ silentMarkets: 0 })
  })

  test('gives the 50 largest products and markets, largest first', async () => {
    const many: number[] = []
    for (let i = 0; i < 52; i++) many.push(await insertProduct(db, { name: `Produit n° ${i}` }))
    const sent = many.flatMap((id, i) =>
      Array.from({ length: i < 2 ? 1 : 3 }, () => quote('2026-01-01', 1, { productId: id })),
    )
    await insertQuotes(db, [...sent, quote('2026-01-01', 1, { productId: many[7] ?? 0 })], places)
    for (const query of [{}, { marketId }]) {
      const { productDistribution } = await summarise(query)
      expect(productDistribution).toHaveLength(50)
      expect(productDistribution.map(({ count }) => count)).toEqual([4, ...Array<number>(49).fill(3)])
      expect(productDistribution[0]).toMatchObject({ id: many[7], name: 'Produit n° 7', count: 4 })
      expect(productDistribution[1]?.id).toBe(many[2])
    }
    await sql`delete from price`.execute(db)
    await db.deleteFrom('product').where('id', 'in', many).execute()
  })

  test('gives the time of the last price, even when it is tomorrow in another zone', async () => {
    const sent = [
      // Already the next day in Lubumbashi, yet earlier than 23:30 in Kinshasa.
      quote('2026-01-01', 1, { marketId: eastern, collectedAt: new Date('2026-01-01T22:05:00Z') }),
      quote('2026-01-01', 1, { collectedAt: new Date('2026-01-01T22:30:00Z') }),
    ]
    await insertQuotes(db, sent, places)
    const last = async (query: Parameters<typeof summarise>[0]) => (await summarise(query)).lastCollectedAt
    expect(await last({})).toBe('2026-01-01T22:30:00.000Z')
    expect(await last({ startDate: '2026-01-02' })).toBe('2026-01-01T22:05:00.000Z')
    expect(await last({ marketId: eastern })).toBe('2026-01-01T22:05:00.000Z')
  })

  test('gives the time of the last price after it is corrected, then deleted', async () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    const sent = [
      quote('2026-01-01', 1, { collectedAt: at(8) }),
      quote('2026-01-01', 1, { collectedAt: at(12) }),
    ]
    const [, later = 0] = await insertQuotes(db, sent, places)
    const last = async () => (await summarise()).lastCollectedAt
    expect(await last()).toBe(at(12).toISOString())
    await db
      .updateTable('price')
      .set({ collected_at: at(10) })
      .where('id', '=', later)
      .execute()
    expect(await last()).toBe(at(10).toISOString())
    await db.deleteFrom('price').where('id', '=', later).execute()
    expect(await last()).toBe(at(8).toISOString())
  })

  test('says why one series has no change, and gives the last figures: its last price, and the change up to it', async () => {
    const days = ['01-05', '01-12', '01-19', '01-26', '02-02', '02-09', '02-16', '02-23', '03-02', '03-09']
    await insertQuotes(
      db,
      days.map((day, i) => quote(`2026-${day}`, 1000 + 10 * i)),
      places,
    )
    const silent = await summarise({ startDate: '2026-02-01', endDate: '2026-04-20' })
    expect(silent.change).toBeNull()
    expect(silent.unmeasured).toMatchObject({ lacks: 'end', lastDay: '2026-03-09', lastPrice: 1090 })
    const length = { startDate: '2025-12-20', endDate: '2026-03-09' }
    expect(silent.unmeasured?.change).toEqual((await summarise(length)).change)
    const begun = await summarise({ startDate: '2026-02-20', endDate: '2026-03-09' })
    expect(begun.change).not.toBeNull()
    expect(begun.unmeasured).toBeNull()
    const young = await summarise({ startDate: '2025-06-01', endDate: '2026-03-09' })
    expect(young.unmeasured).toEqual({
      lacks: 'start',
      before: { startDate: '2025-05-02', endDate: '2025-05-31' },
      lastDay: '2026-03-09',
      lastPrice: 1090,
      change: null,
    })
    // Of eight days, the first seven and the last seven overlap.
    expect((await summarise({ endDate: '2026-01-12' })).unmeasured).toEqual({
      lacks: 'span',
      before: null,
      lastDay: '2026-01-12',
      lastPrice: 1010,
      change: null,
    })
  })

  test('has the last 5 000 days of a longer history', async () => {
    await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
      select ${productId}, ${marketId}, 1, 'Amina', day + time '12:00', day
        from generate_series(date '2000-01-01', date '2000-01-01' + 5001, interval '1 day') series (instant)
       cross join lateral (select instant::date as day) d`.execute(db)
    const { dailyPrices, totalPrices } = await summarise()
    expect(totalPrices).toBe(5002)
    expect(dailyPrices).toHaveLength(5000)
    expect(dailyPrices[0]?.date).toBe('2000-01-03')
    expect(dailyPrices.at(-1)?.date).toBe('2013-09-10')
  })

  test.each([
    ['endDate', 'startDate=2026-01-02&endDate=2026-01-01', 'La date de fin précède la date de début'],
    ['startDate', 'startDate=hier', 'Date attendue (aaaa-mm-jj)'],
    ['productId', 'productId=1.5', 'Identifiant invalide'],
  ])('refuses a wrong %s: %s', async (field, query, message) => {
    const answer = await reader.get(`/api/prices/analytics/summary?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field, message }] } })
  })
})
