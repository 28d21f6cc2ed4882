import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Evolution } from '#features/landing/evolution.view.tsx'
import { Hero } from '#features/landing/hero.view.tsx'
import type { CityPrice, PublicFigures } from '#features/landing/landing.contract.ts'
import { Trends } from '#features/landing/trends.view.tsx'
import { addDays } from '#shared/days.ts'

type Movement = NonNullable<PublicFigures['index']['halfYear']>

const rise: Movement = {
  value: 0.06,
  margin: 0.02,
  trend: 'up' as const,
  from: '2026-01-05',
  to: '2026-07-06',
  series: 40,
  products: 12,
  isThin: false,
}
const figureOf = (movement: Partial<Movement>, lastCollectedAt = '2026-07-10T09:00:00Z') => {
  const index = {
    weeks: [],
    halfYear: { ...rise, ...movement },
    quarter: null,
    knownSeries: 40,
    matchedSeries: 40,
  }
  const figures = {
    madeAt: '2026-07-11T09:00:00Z',
    lastCollectedAt,
    index,
    steadiest: null,
    comparison: null,
    moves: [],
  }
  // The only fields that these cards use.
  const markup = renderToStaticMarkup(
    <Trends figures={figures as unknown as PublicFigures} isEmpty={false} />,
  )
  return markup.slice(markup.indexOf('Évolution sur six mois'), markup.indexOf('Ville la plus stable'))
}

test('on the landing page a change with a week of a single product is grey, and an unfinished week is marked', () => {
  expect(figureOf({ margin: null, trend: null })).toMatch(/text-grey">\+6/)
  expect(figureOf({})).toMatch(/semaine du 6\sjuil\.\s2026 \(incomplète\) par rapport à celle du 5\sjanv/)
  expect(figureOf({ to: '2026-06-29' })).not.toContain('incomplète')
})

test('on the landing page a last price is grey with its age from two weeks on; before, it has its change, or a word for it', () => {
  const pageOf = (price: Partial<CityPrice>) => {
    const latest = {
      cities: ['Goma'],
      rows: [
        {
          product: { id: 1, name: 'Riz', weight: '1 kg' },
          prices: [
            {
              market: { id: 2, name: 'Virunga', location: 'Goma' },
              priceValue: 2500,
              currency: 'CDF',
              observedOn: '2026-07-10',
              change: { value: 0.1, margin: 0.02, isThin: false },
              trend: 'up',
              ...price,
            },
          ],
        },
      ],
    }
    const figures = {
      madeAt: '2026-07-11T09:00:00Z',
      totals: { markets: 5, products: 5 },
      collected: [],
      latest,
    }
    return renderToStaticMarkup(<Hero figures={figures as unknown as PublicFigures} />)
  }
  expect(pageOf({})).toMatch(/2\s500.*text-red.*\+10,0.*hausse/)
  expect(pageOf({})).not.toMatch(/text-grey[^>]*>2\s500/)
  const old = pageOf({ observedOn: '2026-06-20' })
  expect(old).toMatch(/text-grey[^>]*>2\s500.*21\sjours/)
  expect(old).not.toContain('text-red')
  expect(pageOf({ change: { value: 0.1, margin: 0.02, isThin: true } })).not.toContain('text-red')
  expect(pageOf({ trend: null })).toContain('incertain')
  expect(pageOf({ trend: 'stable' })).toContain('stable')
  expect(pageOf({ trend: null, change: null })).toContain('peu de relevés')
  expect(pageOf({ currency: 'USD', priceValue: 2.5 })).toMatch(/2,50\s\$US/)
  expect(pageOf({})).toContain('/recherche?q=riz%20goma')
})

test('on the landing page a rise is red where its figures are reliable, and grey where they are thin or old', () => {
  expect(figureOf({})).toContain('text-red')
  for (const faint of [figureOf({ isThin: true }), figureOf({}, '2026-06-01T09:00:00Z')]) {
    expect(faint).toContain('text-grey')
    expect(faint).not.toContain('text-red')
  }
})

test('on the landing page other figures a month old are grey: the steadiest town and the drawings', () => {
  const steadiest = { location: 'Goma', change: 0.02, series: 9, products: 4 }
  const pageOf = (lastCollectedAt: string) => {
    const index = { weeks: [], halfYear: null, quarter: null, knownSeries: 0, matchedSeries: 0 }
    const figures = { madeAt: '2026-07-11T09:00:00Z', lastCollectedAt, index, steadiest, comparison: null }
    return renderToStaticMarkup(<Trends figures={figures as unknown as PublicFigures} isEmpty={false} />)
  }
  const greyTown = /text-grey">Goma/
  expect(pageOf('2026-07-10T09:00:00Z')).not.toMatch(/text-red|grayscale|text-grey">Goma/)
  const old = pageOf('2026-06-01T09:00:00Z')
  expect(old).toMatch(greyTown)
  expect(old.match(/grayscale/g)).toHaveLength(2)
})

test('on the landing page a product in a market is grey when one of its two windows has fewer than three prices', () => {
  const barsOf = (isThin: boolean) => {
    const market = { id: 1, name: 'Zando', location: 'Kinshasa', current: 2500, previous: 2400, isThin }
    const comparison = {
      product: { id: 1, name: 'Riz', weight: '1 kg' },
      from: '2026-06-15',
      to: '2026-07-10',
    }
    const figures = {
      madeAt: '2026-07-11T09:00:00Z',
      lastCollectedAt: '2026-07-10T09:00:00Z',
      index: { weeks: [], halfYear: null, quarter: null, knownSeries: 0, matchedSeries: 0 },
      steadiest: null,
      comparison: { ...comparison, markets: [market] },
    }
    return renderToStaticMarkup(<Trends figures={figures as unknown as PublicFigures} isEmpty={false} />)
  }
  expect(barsOf(false)).not.toContain('grayscale')
  expect(barsOf(true)).toMatch(/grayscale.*2\s500/)
})

test('on the landing page a change reads as elsewhere: nothing without a margin or with too few products in a week, stable within 1 %', () => {
  for (const noTrend of [figureOf({ margin: null, trend: null }), figureOf({ trend: null })]) {
    expect(noTrend).not.toMatch(/hausse|stable|text-red/)
  }
  expect(figureOf({ margin: null, trend: null })).toContain('ni marge ni tendance')
  expect(figureOf({ trend: null })).toContain('tendance non établie')
  expect(figureOf({ value: 0.009, margin: 0.001, trend: 'stable' })).toContain('stable')
})

const pageOfWeeks = (...values: number[]) => {
  const weeks = values.map((value, n) => ({
    week: addDays('2026-07-06', 7 * (n - values.length + 1)),
    value,
    isProvisional: true,
  }))
  const index = { weeks, halfYear: null, quarter: null, knownSeries: 0, matchedSeries: 0 }
  const figures = {
    madeAt: '2026-07-11T09:00:00Z',
    lastCollectedAt: '2026-07-10T09:00:00Z',
    index,
    steadiest: null,
    comparison: null,
  }
  return renderToStaticMarkup(<Trends figures={figures as unknown as PublicFigures} isEmpty={false} />)
}

test('on the landing page a missing change over half a year names the week without a value, whatever was collected before', () => {
  expect(pageOfWeeks(100)).toMatch(/Aucune valeur pour la semaine du 5\sjanv\.\s2026\./)
})

test('the landing page draws the subscriptions of each day, however few they are', () => {
  const daysOf = (count: number) =>
    Array.from({ length: 7 }, (_, n) => ({ date: addDays('2026-07-01', n), count: n === 3 ? count : 0 }))
  const figures = { brands: [], categories: [], subscriptions: daysOf(2), collected: daysOf(400) }
  const markup = renderToStaticMarkup(
    <Evolution figures={figures as unknown as PublicFigures} isEmpty={false} />,
  )
  expect(markup).toContain('Abonnements par jour')
  expect(markup).toMatch(/2\sabonnements en sept jours/)
})

test('on the landing page the ticks of an index that hardly moves have texts of their own', () => {
  const ticks = [...pageOfWeeks(100, 100.15).matchAll(/dy="-5"[^>]*>([^<]+)</g)].map(([, text]) => text)
  expect(ticks.length).toBeGreaterThan(3)
  expect(new Set(ticks).size).toBe(ticks.length)
})
