import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fitAll } from '#features/figures/stored-index/fitting.jobs.ts'
import { dayMs } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { type PlainQuote, plainIndex } from '../../../tests/support/plain-index.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'
import { type PriceMap, priceMap } from './map.contract.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const today = daysAgo(0)
/** 97.5 % quantile of Student's distribution with 3 degrees of freedom. */
const studentOfFour = 3.182446305
const read = async (query: string): Promise<PriceMap> => {
  const { status, body, text } = await reader.get(`/api/statistics/map?${query}`)
  expect(status, text).toBe(200)
  return priceMap.parse(body)
}

await setRate(db, { day: daysAgo(300), cdfPerUsd: 2000 })
const products = await Promise.all(['Riz', 'Huile', 'Sel', 'Maïs'].map((name) => insertProduct(db, { name })))
const places = {
  Virunga: 'North Kivu',
  Kadutu: 'SUD-KIVU',
  Nyawera: 'Sud-Kivu',
  Gambela: 'Kinshasa',
  Bangui: 'Ombella',
}
const ids = {} as Record<keyof typeof places, number>
for (const [name, province] of Object.entries(places))
  ids[name as keyof typeof places] = await insertMarket(db, { name, location: name, province })
await insertMarket(db, { name: 'Vide' })
// A panel with gaps, from a seeded generator.
let seed = 7
const random = () => {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}
for (const [m, market_id] of Object.values(ids).entries())
  for (const [p, product_id] of products.entries())
    for (let day = 0; day < 120; day += 3) {
      // The last price of Gambela is 40 days old.
      if (random() < 0.3 || (market_id === ids.Gambela && day < 40)) continue
      const francs = 1000 * (p + 1) * (1 + m / 10) * (1 + (120 - day) / 400) * (0.97 + 0.06 * random())
      const isDollar = random() < 0.15
      const price_value = isDollar ? Math.round(francs / 20) / 100 : Math.round(francs)
      await insertPrice(db, {
        product_id,
        market_id,
        day: daysAgo(day),
        price_value,
        currency: isDollar ? 'USD' : 'CDF',
      })
    }

test('the level of a product in each market is the mean of its prices of the period in francs', async () => {
  const { markets, provinces, days, total } = await read(`productId=${products[0]}&period=90d`)
  expect(days).toEqual({ startDate: daysAgo(89), endDate: today })
  expect(total).toBe(6)
  const { rows } = await sql<{ id: number; province: string; n: number; mean: number; last: string }>`
    select market_id as id, province, count(*) as n, max(observed_on) as last,
           avg(price_value * case currency when 'USD' then 2000 else 1 end)::float8 as mean
      from price join market on market.id = market_id
     where product_id = ${products[0]} and observed_on >= ${daysAgo(89)} group by 1, 2`.execute(db)
  expect(rows).toHaveLength(5)
  for (const { id, n, mean, last } of rows) {
    const market = markets.find((each) => each.id === id)
    expect(market).toMatchObject({ prices: n, lastDay: last, isLevelThin: n < 3 })
    expect(market?.level).toBeCloseTo(mean, 6)
  }
  expect(markets.at(-1)).toMatchObject({
    name: 'Vide',
    prices: 0,
    level: null,
    change: null,
    trend: null,
    isStale: true,
  })
  const south = rows.filter(({ province }) => province.toLowerCase() === 'sud-kivu')
  const weight = south.reduce((sum, { n }) => sum + n, 0)
  expect(provinces.map(({ name }) => name)).toEqual(['Kinshasa', 'Nord-Kivu', 'Sud-Kivu'])
  const shown = provinces.find(({ name }) => name === 'Sud-Kivu')
  expect(shown).toMatchObject({ markets: 2, prices: weight })
  expect(shown?.level).toBeCloseTo(south.reduce((sum, { n, mean }) => sum + n * mean, 0) / weight, 6)
})

test('the prices converted from dollars are counted, those at a rate more than 7 days old apart', async () => {
  for (const query of [
    'period=90d',
    `productId=${products[0]}&period=90d`,
    'location=Nulle-part&period=90d',
  ]) {
    const product = new URLSearchParams(query).get('productId') ?? (query.startsWith('period') ? null : 0)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from price
       where currency = 'USD' and observed_on >= ${daysAgo(89)}
         and (${product}::integer is null or product_id = ${product}::integer)`.execute(db)
    // The only rate is 300 days old.
    const n = rows[0]?.n
    expect(await read(query), query).toMatchObject({ converted: n, atOldRate: n, excluded: 0 })
  }
})

test('the change of a product in a market is that of its geometric means, computed by hand', async () => {
  const { markets } = await read(`productId=${products[1]}&period=30d`)
  const { rows } = await sql<{ id: number; value: number; few: number }>`
    with quote as (
      select market_id as id, ln(price_value * case currency when 'USD' then 2000 else 1 end)::float8 as log,
             observed_on between ${daysAgo(36)} and ${daysAgo(30)} as before,
             observed_on between ${daysAgo(6)} and ${today} as after
        from price where product_id = ${products[1]})
    select id, exp(avg(log) filter (where after) - avg(log) filter (where before)) - 1 as value,
           least(count(*) filter (where after), count(*) filter (where before)) as few
      from quote group by 1`.execute(db)
  for (const { id, value, few } of rows) {
    const market = markets.find((each) => each.id === id)
    if (few === 0) {
      expect(market?.change ?? null).toBeNull()
      continue
    }
    expect(market?.change?.value).toBeCloseTo(value, 9)
    expect(market?.isChangeThin).toBe(few < 3)
  }
  expect(rows.filter(({ few }) => few > 0).length).toBeGreaterThan(2)
})

test('without a product, each market shows the same change as its own summary', async () => {
  const { markets } = await read('period=30d')
  for (const { id, change, trend, prices, level } of markets.filter(({ name }) => name !== 'Vide')) {
    const summary = await reader.get(
      `/api/prices/analytics/summary?marketId=${id}&startDate=${daysAgo(29)}&endDate=${today}`,
    )
    const own = summary.body as {
      totalPrices: number
      priceTrend: string
      change: { value: number; margin: number | null } | null
    }
    expect(prices).toBe(own.totalPrices)
    expect(level).toBeNull()
    expect(trend).toBe(own.priceTrend)
    expect(change?.value ?? null).toEqual(own.change && expect.closeTo(own.change.value, 9))
    const margin = own.change?.margin ?? null
    expect(change?.margin ?? null).toEqual(margin && expect.closeTo(margin, 9))
  }
})

test('without a product, each market and each province equals dense least squares over its prices', async () => {
  const end = today
  for (const [query, days] of [
    ['period=30d', 30],
    ['period=90d', 90],
  ] as const) {
    const { markets, provinces } = await read(query)
    const named = {
      ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, [id]])),
      'Nord-Kivu': [ids.Virunga],
      'Sud-Kivu': [ids.Kadutu, ids.Nyawera],
    }
    for (const [name, marketIds] of Object.entries(named)) {
      const { rows } = await sql<PlainQuote>`
        select product_id || '/' || market_id as series, product_id as product, observed_on::text as day,
               (price_value * case currency when 'USD' then 2000 else 1 end)::float8 as cdf
          from price where market_id = any(${marketIds}) and observed_on > ${daysAgo(53 * 7)}::date`.execute(
        db,
      )
      const { change } = plainIndex(rows, { start: daysAgo(days - 1), end }, false)
      const shown = [...markets, ...provinces].find((each) => each.name === name)
      // The last price of Gambela is before these days.
      if (!change || (name === 'Gambela' && days === 30)) {
        expect(shown?.change).toBeNull()
        continue
      }
      expect(change.error.products).toBe(4)
      expect(shown?.change, `${name}, ${query}`).toEqual({
        value: expect.closeTo(change.value, 9),
        margin: change.error.error === null ? null : expect.closeTo(studentOfFour * change.error.error, 6),
        from: change.from,
        to: change.to,
      })
    }
  }
})

test('stored indices of markets and provinces give the same map as a fit, also for one without a place', async () => {
  const alone = await insertMarket(db, { name: 'Seul', province: 'Ituri' })
  for (const day of [1, 4, 9, 30, 33, 36])
    await insertPrice(db, {
      product_id: products[0] ?? 0,
      market_id: alone,
      day: daysAgo(day),
      price_value: 1000 + 7 * day,
      currency: 'CDF',
    })
  await sql`delete from price_index`.execute(db)
  const queries = [
    'period=7d',
    'period=30d',
    'period=90d',
    `startDate=${daysAgo(80)}&endDate=${daysAgo(30)}`,
    // A month whose last days have no price yet.
    `startDate=${daysAgo(23)}&endDate=${daysAgo(-6)}`,
  ]
  const fitted = await Promise.all(queries.map(read))
  await sql`insert into price_index_mark values (null)`.execute(db)
  await fitAll(db)
  const { rows } = await sql`select from price_index where scope in ('market', 'province')`.execute(db)
  // Five markets, one silent for 40 days; four provinces, without that of the silent market.
  expect(rows).toHaveLength(5 + 3)
  const nearly = (value: unknown): unknown => {
    if (typeof value === 'number') return expect.closeTo(value, 9)
    if (Array.isArray(value)) return value.map(nearly)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, nearly(each)]))
  }
  for (const [i, query] of queries.entries()) expect(await read(query), query).toEqual(nearly(fitted[i]))
  expect(fitted[1]?.markets.filter(({ change }) => change !== null).length).toBeGreaterThan(3)
  const days = `startDate=${daysAgo(29)}&endDate=${today}`
  const ofProvince = async (asked: string) =>
    Object((await reader.get(`/api/prices/analytics/summary?province=${asked}&${days}`)).body).change
  const south = fitted[1]?.provinces.find(({ name }) => name === 'Sud-Kivu')?.change
  expect(south).not.toBeNull()
  for (const asked of ['sud kivu', 'South-Kivu&kind=good'])
    expect(await ofProvince(asked)).toMatchObject(nearly(south) as object)
  // The map reads the stored index, and does not check it.
  await sql`update price_index set levels[53] = levels[53] + 1`.execute(db)
  expect(await ofProvince('sud kivu')).not.toMatchObject(nearly(south) as object)
  expect((await read('period=7d')).markets[0]?.change).not.toEqual(fitted[0]?.markets[0]?.change)
  await sql`delete from price where market_id = ${alone}`.execute(db)
  await sql`delete from market where id = ${alone}`.execute(db)
  await fitAll(db)
})

test('old figures are marked old, and thin ones thin', async () => {
  const { markets } = await read('period=90d')
  const isStale = (id: number) => markets.find((market) => market.id === id)?.isStale
  expect([isStale(ids.Gambela), isStale(ids.Virunga)]).toEqual([true, false])
  // Four series of four products are fewer than five.
  expect(markets.every(({ isChangeThin }) => isChangeThin)).toBe(true)
})

test('a change of one product in several markets is thin, as in its own summary', async () => {
  const { provinces } = await read(`productId=${products[0]}&period=90d`)
  const south = provinces.find(({ name }) => name === 'Sud-Kivu')
  const days = `startDate=${daysAgo(89)}&endDate=${today}`
  const summary = await reader.get(
    `/api/prices/analytics/summary?productId=${products[0]}&province=Sud-Kivu&${days}`,
  )
  expect(Object(summary.body).change).toMatchObject({ series: 2, isThin: true })
  expect(south).toMatchObject({ change: expect.anything(), series: 2, isChangeThin: true })
})

test('a period without prices shows empty places, and a reversed one is refused', async () => {
  const { markets, provinces } = await read('startDate=2001-01-01&endDate=2001-02-01')
  expect(
    markets.every(({ prices, change, level }) => prices === 0 && change === null && level === null),
  ).toBe(true)
  expect(provinces.every(({ markets }) => markets === 0)).toBe(true)
  expect((await reader.get('/api/statistics/map?startDate=2026-02-01&endDate=2026-01-01')).status).toBe(400)
  expect((await read('startDate=2100-01-01')).days).toEqual({
    startDate: '2100-01-01',
    endDate: '2100-01-01',
  })
  expect((await read('productId=2147483000')).markets.every(({ prices }) => prices === 0)).toBe(true)
})

test('a place last visited weeks ago is measured over the year that ends then, as in its own summary', async () => {
  const late = await insertMarket(db, { name: 'Kikwit', province: 'Kwilu' })
  for (const [p, product_id] of products.entries())
    for (let week = 2; week < 62; week++) {
      if (random() < 0.2 && week > 2 && week !== 54) continue
      const price_value = Math.round(1000 * (p + 1) * (1 + (60 - week) / 300) * (0.97 + 0.06 * random()))
      await insertPrice(db, { product_id, market_id: late, day: daysAgo(7 * week), price_value })
    }
  const { rows } = await sql<PlainQuote>`
    select product_id || '/' || market_id as series, product_id as product, observed_on::text as day, price_value::float8 as cdf
      from price where market_id = ${late}`.execute(db)
  const lastWeek =
    rows
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? ''
  const sunday = Date.parse(lastWeek) + ((7 - new Date(lastWeek).getUTCDay()) % 7) * dayMs
  const first = new Date(sunday - 53 * 7 * dayMs).toISOString().slice(0, 10)
  const ofYear = rows.filter(({ day }) => day > first)
  const expectMeasured = async () => {
    for (const [query, days] of [
      ['period=30d', 30],
      ['period=1y', 365],
    ] as const) {
      const { change } = plainIndex(ofYear, { start: daysAgo(days - 1), end: today }, false)
      const { markets, provinces } = await read(query)
      const shown = [markets.find(({ id }) => id === late), provinces.find(({ name }) => name === 'Kwilu')]
      for (const place of shown)
        expect(place?.change, query).toMatchObject({
          value: expect.closeTo(change?.value ?? Number.NaN, 9),
          from: change?.from,
          to: change?.to,
        })
    }
  }
  await expectMeasured()
  await fitAll(db)
  await expectMeasured()
  await sql`delete from price where market_id = ${late}`.execute(db)
})

test('a market whose last week has only new series shows over a year the same change as its own summary', async () => {
  const boma = await insertMarket(db, { name: 'Boma', province: 'Kongo Central' })
  for (const product_id of products.slice(0, 2))
    for (let week = 1; week < 55; week++) {
      const price_value = Math.round(1e7 * 1.2 ** ((54 - week) / 52)) / 100
      await insertPrice(db, { product_id, market_id: boma, day: daysAgo(7 * week), price_value })
    }
  await insertPrice(db, { product_id: products[2] ?? 0, market_id: boma, day: today, price_value: 500 })
  const days = `startDate=${daysAgo(364)}&endDate=${today}`
  const expectSummary = async () => {
    const summary = await reader.get(`/api/prices/analytics/summary?marketId=${boma}&${days}`)
    const { value, margin, from, to } = Object(summary.body).change
    expect(value).toBeCloseTo(0.2, 4)
    const { markets, provinces } = await read('period=1y')
    for (const place of [
      markets.find(({ id }) => id === boma),
      provinces.find(({ name }) => name === 'Kongo-Central'),
    ])
      expect(place).toMatchObject({
        change: { value: expect.closeTo(value, 9), margin: margin && expect.closeTo(margin, 9), from, to },
        series: 2,
      })
  }
  await expectSummary()
  await fitAll(db)
  await expectSummary()
  await sql`delete from price where market_id = ${boma}`.execute(db)
})

test('a province counts the year of its silent markets, as its own summary does', async () => {
  const [heard, silent] = [
    await insertMarket(db, { name: 'Kindu', province: 'Maniema' }),
    await insertMarket(db, { name: 'Kasongo', province: 'Maniema' }),
  ]
  for (const [p, product_id] of products.entries())
    for (let week = 1; week < 20; week++)
      for (const [m, market_id] of [heard, silent].entries()) {
        if (random() < 0.3 || (market_id === silent && week < 7)) continue
        const price_value = Math.round(1000 * (p + 1) * (1 + (m * week) / 50) * (0.97 + 0.06 * random()))
        await insertPrice(db, { product_id, market_id, day: daysAgo(7 * week), price_value })
      }
  const { change } = Object(
    (
      await reader.get(
        `/api/prices/analytics/summary?province=Maniema&startDate=${daysAgo(29)}&endDate=${today}`,
      )
    ).body,
  )
  const expectSummary = async () => {
    const { provinces } = await read('period=30d')
    expect(provinces.find(({ name }) => name === 'Maniema')).toMatchObject({
      change: { value: expect.closeTo(change.value, 9) },
      series: 8,
      isChangeThin: false,
    })
  }
  await fitAll(db)
  await expectSummary()
  await sql`delete from price_index`.execute(db)
  await expectSummary()
  await sql`delete from price where market_id in (${heard}, ${silent})`.execute(db)
})

test('prices in dollars from before the first rate are counted apart, and drawn nowhere', async () => {
  const product_id = await insertProduct(db, { name: 'Savon' })
  for (const day of [310, 305, 290])
    await insertPrice(db, {
      product_id,
      market_id: ids.Kadutu,
      day: daysAgo(day),
      price_value: 2,
      currency: 'USD',
    })
  const query = `productId=${product_id}&startDate=${daysAgo(320)}&endDate=${daysAgo(280)}`
  const { markets, ...counts } = await read(query)
  expect(counts).toMatchObject({ converted: 1, atOldRate: 1, excluded: 2 })
  expect(markets.find(({ id }) => id === ids.Kadutu)).toMatchObject({ prices: 1, level: 4000 })
})
