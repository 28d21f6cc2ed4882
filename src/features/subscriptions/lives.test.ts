import { expect, test } from 'vitest'
import { lifeWorld, liveMany, liveSubscription } from '../../../tests/support/subscription-lives.ts'

const world = await lifeWorld()

test('whatever happens to subscriptions, books and access equal those of a plain model', async () => {
  expect(await liveMany(world, { seed: 20_261_126, lives: 60 })).toEqual({ lives: 60, drift: 0 })
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
  const { drift, bought } = await liveSubscription(world, life)
  expect([drift, ...bought.map(({ status }) => status)]).toEqual([0, 'PENDING', 'PAID'])
})

test('a refund reported as done that was not is a difference', async () => {
  const said = { ...world, refund: async () => 200 }
  const life = {
    birth: '2026-01-31T10:00:00Z',
    events: [
      { kind: 'renewed', plan: 0 },
      { kind: 'refunded', of: 0 },
    ],
  } as const
  await expect(liveSubscription(said, life)).rejects.toThrow('expected')
})
