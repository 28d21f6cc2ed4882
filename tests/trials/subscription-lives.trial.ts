import { expect, test } from 'vitest'
import { lifeWorld, liveMany } from '../support/subscription-lives.ts'

const world = await lifeWorld()
const lives = 1_000

test.for(Array.from({ length: 10 }, (_, part) => part + 1))(
  'after 1 000 random histories of subscriptions, books and access equal those of a plain model (part %i of 10)',
  async (part) => {
    expect(await liveMany(world, { seed: 20_261_200 + part, lives })).toEqual({ lives, drift: 0 })
  },
)
