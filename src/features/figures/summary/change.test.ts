import { describe, expect, test } from 'vitest'
import { insertQuotes } from '../../../../tests/support/random-prices.ts'
import { summaryWorld } from '../../../../tests/support/summaries.ts'

const { db, reader, products, places, productId, otherProduct, marketId, eastern, quote, summarise } =
  await summaryWorld()

describe('the change in the summary of prices', () => {
  test('compares the series quoted in both weeks, whatever else was collected', async () => {
    const sent = [
      quote('2026-01-01', 100),
      quote('2026-01-09', 121),
      quote('2026-01-01', 50, { marketId: eastern }),
      quote('2026-01-09', 50, { marketId: eastern }),
      // Quoted in one week only: these series never move the index.
      quote('2026-01-09', 1_000_000, { productId: otherProduct }),
      quote('2026-01-05', 9, { productId: otherProduct, marketId: eastern }),
    ]
    await insertQuotes(db, sent, places)
    const summary = await summarise()
    expect(summary.change?.value).toBeCloseTo(0.1, 9)
    expect(summary).toMatchObject({
      matchedSeries: 2,
      knownSeries: 4,
      pricedProducts: 2,
      unlinked: null,
      // One product in two markets: the margin is by market, too wide for a trend, and there is no inflation.
      change: {
        margin: expect.closeTo(12.706204736 * Math.log(1.1), 6),
        from: '2025-12-29',
        to: '2026-01-05',
        series: 2,
        products: 1,
        isThin: true,
      },
      priceTrend: null,
      inflation: null,
      index: [
        { week: '2025-12-29', value: 100 },
        { week: '2026-01-05', value: expect.closeTo(110, 9) },
      ],
    })
  })

  test('is called inflation for three products, with a trend where its margin excludes zero', async () => {
    const third = products[2]?.id ?? 0
    const rising = [productId, otherProduct, third].flatMap((id, i) => [
      quote('2026-01-01', 100, { productId: id }),
      quote('2026-01-09', 120 + i, { productId: id }),
    ])
    await insertQuotes(db, rising, places)
    const summary = await summarise()
    expect(summary.inflation).toBeCloseTo((1.2 * 1.21 * 1.22) ** (1 / 3) - 1, 9)
    expect(summary).toMatchObject({ priceTrend: 'up', change: { products: 3, isThin: true } })
    expect(summary.change?.margin).toBeGreaterThan(0)
  })

  test('shows a rise of exactly 20 % in a year as 20 %', async () => {
    const third = products[2]?.id ?? 0
    const weekly = [productId, otherProduct, third].flatMap((id) =>
      Array.from({ length: 60 }, (_, week) => {
        const day = new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString().slice(0, 10)
        return quote(day, Math.round(1e7 * 1.2 ** (week / 52)) / 100, { productId: id })
      }),
    )
    await insertQuotes(db, weekly, places)
    const summary = await summarise({ startDate: '2025-02-24', endDate: '2026-02-23' })
    expect(summary.change).toMatchObject({ from: '2025-02-24', to: '2026-02-23' })
    expect(summary.inflation).toBeCloseTo(0.2, 4)
    expect(summary.index).toHaveLength(53)
    const allOfIt = await summarise({})
    expect(allOfIt.change).toMatchObject({ from: '2025-01-06', to: '2026-02-23' })
    expect(allOfIt.change?.value).toBeCloseTo(1.2 ** (59 / 52) - 1, 4)
  })

  test('compares weeks of more than a year too, from the week before the period when it consists of whole weeks', async () => {
    const third = products[2]?.id ?? 0
    const weekly = [productId, otherProduct, third].flatMap((id) =>
      Array.from({ length: 110 }, (_, week) => {
        const day = new Date(Date.UTC(2024, 0, 2 + 7 * week)).toISOString().slice(0, 10)
        return quote(day, Math.round(1e7 * 1.1 ** (week / 52)) / 100, { productId: id })
      }),
    )
    await insertQuotes(db, weekly, places)
    // 104 weeks, from a Monday to a Sunday.
    const whole = await summarise({ startDate: '2024-01-29', endDate: '2026-01-25' })
    expect(whole.change).toMatchObject({ from: '2024-01-22', to: '2026-01-19' })
    expect(whole.inflation).toBeCloseTo(1.1 ** 2 - 1, 4)
    expect(whole.index[0]).toMatchObject({ week: '2024-01-22', value: 100 })
    // The last prices are some weeks older than its end.
    const late = await summarise({ startDate: '2024-04-01', endDate: '2026-03-29' })
    expect(late.change).toMatchObject({ from: '2024-02-05', to: '2026-02-02' })
    // A week before all prices has no figures.
    expect(await summarise({ startDate: '2024-01-01', endDate: '2026-02-08' })).toMatchObject({
      change: null,
      unlinked: { from: '2023-12-25', to: '2026-02-02' },
    })
  })

  test('uses the last week with a value when the very last has only a new series', async () => {
    const weekly = [productId, otherProduct].flatMap((id) =>
      Array.from({ length: 54 }, (_, week) => {
        const day = new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString().slice(0, 10)
        return quote(day, Math.round(1e7 * 1.2 ** (week / 52)) / 100, { productId: id })
      }),
    )
    const third = products[2]?.id ?? 0
    await insertQuotes(db, [...weekly, quote('2026-01-20', 500, { productId: third })], places)
    const year = { marketId, startDate: '2025-01-26', endDate: '2026-01-25' }
    const summary = await summarise(year)
    expect(summary.change).toMatchObject({ from: '2025-01-13', to: '2026-01-12', series: 2 })
    expect(summary.change?.value).toBeCloseTo(0.2, 4)
    expect(summary).toMatchObject({ matchedSeries: 2, knownSeries: 3 })
    const asked = 'behind=figures&fileFormat=csv-machine&startDate=2025-01-26&endDate=2026-01-25'
    const { text } = await reader.get(`/api/prices/export?marketId=${marketId}&${asked}`)
    expect(
      text
        .match(/^\d+,\d{4}-\d\d-\d\d/gm)
        ?.map((row) => row.split(',')[1])
        .sort()[0],
    ).toBe('2025-01-13')
  })

  test('over all dates starts with the first week that has a value, whatever was quoted once before it', async () => {
    const third = products[2]?.id ?? 0
    const rising = [productId, otherProduct].flatMap((id) => [
      quote('2026-01-01', 100, { productId: id }),
      quote('2026-01-09', 120, { productId: id }),
    ])
    const expected = { value: expect.closeTo(0.2, 9), from: '2025-12-29', to: '2026-01-05' }
    await insertQuotes(db, [...rising, quote('2025-12-05', 7, { productId: third })], places)
    expect(await summarise()).toMatchObject({
      change: expected,
      index: [{ week: expected.from }, { week: expected.to }],
    })
    // More than a year before, so that the index starts again.
    await insertQuotes(db, [quote('2016-01-09', 7, { productId: third })], places)
    expect(await summarise()).toMatchObject({
      change: expected,
      index: [{ week: expected.from }, { week: expected.to }],
    })
    expect(await summarise({ endDate: '2026-01-11' })).toMatchObject({ change: expected })
  })

  test('compares the last days of one series with those that end one period earlier', async () => {
    const sent = [
      quote('2026-01-02', 100),
      quote('2026-01-05', 110),
      quote('2026-01-30', 130),
      quote('2026-02-03', 121),
      quote('2026-02-04', 121),
    ]
    await insertQuotes(db, sent, places)
    const series = { productId, marketId }
    const month = await summarise({ ...series, startDate: '2026-01-06', endDate: '2026-02-04' })
    expect(month.change).toMatchObject({ from: '2026-01-05', to: '2026-02-04', series: 1, isThin: true })
    expect(month.change?.value).toBeCloseTo((130 * 121 * 121) ** (1 / 3) / Math.sqrt(110 * 100) - 1, 9)
    expect(month).toMatchObject({ inflation: null })
    // For all its prices: the first fifteen days and the last fifteen.
    expect((await summarise(series)).change).toMatchObject({ from: '2026-01-16', to: '2026-02-04' })
    expect((await summarise({ ...series, startDate: '2026-01-29', endDate: '2026-02-04' })).change).toBeNull()
    const oneDay = await summarise({ ...series, startDate: '2026-02-04' })
    expect(oneDay).toMatchObject({ change: null, priceTrend: null })
  })
})
