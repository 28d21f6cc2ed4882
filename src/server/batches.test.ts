import { expect, test } from 'vitest'
import { inBatches } from '#server/batches.ts'

/** Returns work that ends when its signal is aborted. */
function held<Result>(answer: (item: number) => Result) {
  const works: { items: readonly number[]; end: (error?: object) => void }[] = []
  const work = (items: readonly number[]) =>
    new Promise<Result[]>((resolve, reject) => {
      works.push({ items, end: (error) => (error ? reject(error) : resolve(items.map(answer))) })
    })
  return { works, work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const broken = { code: '23503', constraint: 'price_product_fkey' }
const oneAfterTheOther = { works: 1, items: 9, patienceMs: 0 }

test('a single request starts at once; requests that arrive meanwhile are batched, and each gets its own result', async () => {
  const { works, work } = held((item) => item * 10)
  const ask = inBatches(work, { ...oneAfterTheOther, items: 3 })
  const answers = [1, 2, 3, 4, 5].map(ask)
  expect(works.map(({ items }) => items)).toEqual([[1]])
  works[0]?.end()
  await turn()
  works[1]?.end()
  await turn()
  works[2]?.end()
  expect(works.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]])
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50])
})

test('a blocked batch does not block others: up to the limit, more start beside it, one after the other', async () => {
  const { works, work } = held((item) => item)
  const ask = inBatches(work, { works: 3, items: 9, patienceMs: 1 })
  const answers = [1, 2, 3].map(ask)
  await expect.poll(() => works.length).toBe(2)
  answers.push(ask(4), ask(5))
  await expect.poll(() => works.length).toBe(3)
  answers.push(ask(6))
  expect(works.map(({ items }) => items)).toEqual([[1], [2, 3], [4, 5]])
  works[2]?.end()
  await expect.poll(() => works.length).toBe(4)
  for (const { end } of works) end()
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6])
})

test('a batch refused because of one request is run again for each alone', async () => {
  const { works, work } = held((item) => item)
  const ask = inBatches(work, oneAfterTheOther)
  const answers = Promise.allSettled([1, 2, 3].map(ask))
  works[0]?.end()
  await turn()
  works[1]?.end(broken)
  await turn()
  expect(works.map(({ items }) => items)).toEqual([[1], [2, 3], [2], [3]])
  works[2]?.end(broken)
  works[3]?.end()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a failure of a batch is reported to all, and the next batch is tried again', async () => {
  const { works, work } = held((item) => item)
  const ask = inBatches(work, oneAfterTheOther)
  const answers = Promise.allSettled([1, 2, 3].map(ask))
  works[0]?.end(new Error('connection terminated'))
  await turn()
  works[1]?.end(new Error('connection terminated'))
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  const next = ask(4)
  works[2]?.end()
  expect(await next).toBe(4)
})
