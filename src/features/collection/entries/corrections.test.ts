import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { randomStream } from '#demonstration/random.ts'
import type { EntryReceipt } from '#features/collection/entries/entries.contract.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { yesterdayNoon } from '../../../../tests/support/market-days.ts'
import { type Client, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const marketId = await insertMarket(db)

type Said = number | 'absent'
type Sent = { id: string; replaces: string | null }

/** Returns entries about one good, each of which corrects the one before. */
async function chainOf(said: readonly Said[]) {
  const productId = await insertProduct(db)
  const ids = said.map(() => randomUUID())
  const entries = said.map((what, n) => ({
    id: ids[n] ?? '',
    replaces: ids[n - 1] ?? null,
    productId,
    marketId,
    ...(what === 'absent'
      ? { kind: 'absent', priceValue: null, reason: 'rupture' }
      : { kind: 'typed', priceValue: what }),
    deviceAt: new Date(yesterdayNoon() + n * 1000).toISOString(),
  }))
  return { productId, entries }
}

async function send(by: Client, entries: readonly Sent[]): Promise<EntryReceipt[]> {
  const answer = await by.post('/api/collection/batches', { deviceId: 'essai', entries })
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body).receipts
}

/** Returns the prices of a good, and the entries of it that no other entry replaces. */
async function leftOf(productId: number): Promise<Said[]> {
  const prices = await db
    .selectFrom('price')
    .select('price_value')
    .where('product_id', '=', productId)
    .execute()
  const entries = await db
    .selectFrom('collection_entry')
    .select('kind')
    .where('product_id', '=', productId)
    .where('is_replaced', '=', false)
    .execute()
  const absences = entries.filter(({ kind }) => kind === 'absent')
  expect(entries).toHaveLength(1)
  return [...prices.map(({ price_value }) => price_value), ...absences.map(() => 'absent' as const)]
}

const agent = await server.as('agent')

test.each<Said[][]>([
  [[25_000, 2500]],
  [[25_000, 'absent']],
  [['absent', 2500]],
  [[25_000, 2500, 2600]],
  [[25_000, 'absent', 2500, 'absent', 2600]],
])('of %j, sent in one batch in any order and sent again, the last counts alone', async (said) => {
  const turned = [(list: Sent[]) => list, (list: Sent[]) => list.toReversed()]
  for (const turn of turned) {
    const { productId, entries } = await chainOf(said)
    for (const _ of [1, 2]) {
      const receipts = await send(agent, turn(entries))
      expect(receipts.map(({ state }) => state)).toEqual(said.map(() => 'received'))
      expect(await leftOf(productId)).toEqual([said.at(-1)])
    }
  }
})

test('whatever is said of a good, cut into batches anywhere and sent again, the last counts alone', async () => {
  const random = randomStream('corrections')
  for (let round = 0; round < 12; round++) {
    const said = Array.from({ length: random.integer(1, 6) }, (_, n) =>
      random.next() < 0.3 ? ('absent' as const) : 1000 + n,
    )
    const { productId, entries } = await chainOf(said)
    const story: number[][] = []
    let received = 0
    for (let sent = 0; received < entries.length; ) {
      sent = Math.min(entries.length, sent + random.integer(0, 3))
      // The phone sends again whatever it has no receipt for, with what is new.
      const batch = entries.slice(received, sent)
      story.push([received, sent])
      await send(agent, random.next() < 0.3 ? batch.toReversed() : batch)
      if (random.next() < 0.5) received = sent
    }
    expect(await leftOf(productId), JSON.stringify({ said, story })).toEqual([said.at(-1)])
  }
})

test('entries that correct each other, or themselves, are stored', async () => {
  const { entries } = await chainOf([1000, 1100, 1200])
  const [first, second, third] = entries.map(({ id }) => id)
  const circle = entries.map((entry, n) => ({ ...entry, replaces: [second, first, third][n] ?? null }))
  const receipts = await send(agent, circle)
  expect(receipts.map(({ state }) => state)).toEqual(['received', 'received', 'received'])
})

test('a correction that names no price, and is refused, leaves what it corrects', async () => {
  const { productId, entries } = await chainOf(['absent', 2500])
  const unchanged = entries.map((entry, n) =>
    n === 1 ? { ...entry, kind: 'unchanged', priceValue: null } : entry,
  )
  const states = (await send(agent, unchanged)).map(({ state }) => state)
  expect(states.toSorted()).toEqual(['received', 'refused'])
  expect(await leftOf(productId)).toEqual(['absent'])
})

test.each<Said[][]>([
  [[25_000, 2500, 2600]],
  [['absent', 2500, 2600]],
  [[25_000, 'absent', 2600]],
  [[25_000, 2500, 'absent']],
])(
  'of %j, where the last corrects an entry that was already replaced, the last counts alone',
  async (said) => {
    const { productId, entries } = await chainOf(said)
    const [first, second, third] = entries
    await send(agent, [first!, second!])
    const late = { ...third!, replaces: first!.id }
    for (const _ of [1, 2]) {
      expect(await send(agent, [late])).toMatchObject([{ state: 'received' }])
      expect(await leftOf(productId)).toEqual([said.at(-1)])
    }
  },
)

test('a correction of a replaced entry leaves the two quotes of its product that may have replaced it', async () => {
  const { productId, entries } = await chainOf([25_000, 2500, 2600, 2700])
  const [first, second, other, late] = entries
  await send(agent, [first!, second!, { ...other!, replaces: null }])
  await send(agent, [{ ...late!, replaces: first!.id }])
  const prices = await db
    .selectFrom('price')
    .select('price_value')
    .where('product_id', '=', productId)
    .orderBy('price_value')
    .execute()
  expect(prices.map(({ price_value }) => price_value)).toEqual([2500, 2600, 2700])
})
