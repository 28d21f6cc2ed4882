import { expect, test } from 'vitest'
import { movementBetween, trendOf } from '#features/figures/price-index/price-index.rules.ts'
import { fitTimeProductDummy } from '#features/figures/price-index/time-product-dummy.rules.ts'
import {
  hardYear,
  type Scene,
  simulatePanel,
  trendOfWeek,
} from '../../../../tests/support/simulated-panels.ts'

// The short version of `npm run bench -- index`.

const yearOf = (scene: Scene) => movementBetween(fitTimeProductDummy(simulatePanel(scene), 53), 0, 52)

test('prices that rise by 20 % in a year have an index of that rise', () => {
  const trend = (day: number) => (Math.log(1.2) * day) / 364
  const steady = yearOf({ seed: 'steady', products: 10, markets: 6, weeks: 53, everyDays: 3, trend })
  expect(Math.abs(100 * (steady?.value ?? 0) - 20)).toBeLessThan(0.3)
})

test.each([
  [3, 1],
  [14, 2],
])(
  'a hard year with a quote in %d days is wrong by at most %d log points, and its margins cover the error',
  (everyDays, most) => {
    let [squares, held] = [0, 0]
    const years = 30
    for (let i = 0; i < years; i++) {
      const scene = hardYear(`short/${everyDays}/${i}`, everyDays)
      const year = yearOf(scene)
      const error =
        Math.log1p(year?.value ?? 0) - (trendOfWeek(scene.trend, 52) - trendOfWeek(scene.trend, 0))
      squares += (100 * error) ** 2
      if (Math.abs(error) <= (year?.margin ?? 0)) held += 1
    }
    expect(Math.sqrt(squares / years)).toBeLessThan(most)
    // Thirty years measure coverage only to some per cent: the bench uses two hundred.
    expect(held / years).toBeGreaterThan(0.8)
  },
)

test.each([3, 7, 14])(
  'without any trend, with a quote in %d days, hardly any window is reported as rising or falling',
  (everyDays) => {
    let [wrong, wrongByMargin] = [0, 0]
    const windows = 400
    for (let i = 0; i < windows; i++) {
      const shape = { products: 2 + (i % 19), markets: 1, weeks: 53 }
      const scene = { ...shape, seed: `still/${everyDays}/${i}`, everyDays, haggle: 0.03, trend: () => 0 }
      const fit = fitTimeProductDummy(simulatePanel(scene), 53)
      const last = fit.levels.findLastIndex((level) => level !== null)
      const movement = movementBetween(fit, last - ([1, 4, 13][i % 3] ?? 1), last)
      const isTold = (trend: ReturnType<typeof trendOf>) => trend === 'up' || trend === 'down'
      wrong += Number(isTold(trendOf(movement)))
      wrongByMargin += Number(isTold(trendOf(movement && { ...movement, trendMargin: movement.margin })))
    }
    // This number of windows cannot verify the promised 5 % exactly.
    expect(wrong / windows).toBeLessThan(0.07)
    if (everyDays === 14) expect(wrongByMargin).toBeGreaterThan(2 * wrong)
  },
)
