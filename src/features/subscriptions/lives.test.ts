import { expect, test } from 'vitest'
import { dayMs } from '#shared/days.ts'
import { lifeWorld, liveMany, liveSubscription } from '../../../tests/support/subscription-lives.ts'

const dependencies = await lifeWorld()

test('whatever happens to subscriptions, books and access equal those of a plain model', async () => {
  expect(await liveMany(dependencies, { seed: 20_261_126, lives: 60 })).toEqual({ lives: 60, drift: 0 })
})

test('of two payments of one plan open together, only the first paid opens a period, in the model too', async () => {
  const life = {
    birth: '2024-01-01T00:00:00Z',
    events: [
      { kind: 'buy', plan: 0 },
      { kind: 'renewed', plan: 0 },
      { kind: 'paid', of: 0 },
    ],
  } as const
  const { drift, bought } = await liveSubscription(dependencies, life)
  expect([drift, ...bought.map(({ status }) => status)]).toEqual([0, 'PENDING', 'PAID'])
})

test('periods paused one after the other resume one after the other, each with its whole rest', async () => {
  const wait = (days: number) => ({ kind: 'waited', ms: days * dayMs }) as const
  const life = {
    birth: '2026-01-01T10:00:00Z',
    events: [
      ...([{ kind: 'renewed', plan: 0 }, wait(11), { kind: 'paused' }, wait(40)] as const),
      // Paid while the first is paused: it begins now, and is paused too.
      ...([{ kind: 'renewed', plan: 0 }, { kind: 'renewed', plan: 1 }, wait(5), { kind: 'paused' }] as const),
      ...([wait(3), { kind: 'renewed', plan: 1 }, wait(1), { kind: 'resumed' }] as const),
    ],
  } as const
  const { bought } = await liveSubscription(dependencies, life)
  const days = bought.map(({ period }) =>
    [period!.from, period!.to].map((edge) => (edge - Date.parse(life.birth)) / dayMs),
  )
  // The last one runs from day 59 to day 90. The first has 20 days left, the second 23.
  expect(days).toEqual([
    [79, 110],
    [105, 133],
    [133, 164],
    [59, 90],
  ])
})

test('a refund reported as done that was not is a difference', async () => {
  const said = { ...dependencies, refund: async () => 200 }
  const life = {
    birth: '2026-01-31T10:00:00Z',
    events: [
      { kind: 'renewed', plan: 0 },
      { kind: 'refunded', of: 0 },
    ],
  } as const
  await expect(liveSubscription(said, life)).rejects.toThrow('expected')
})
