import { describe, expect, test } from 'vitest'
import { concerns, manyPrices, mergeChanges, newIndices, priceWritten, withoutOwn } from './live.rules.ts'

const price = (id: number, productId: number, marketId: number) => ({ id, productId, marketId })

describe('a change of prices', () => {
  test('concerns lists of its product, of its market, of both and of everything', () => {
    const change = priceWritten('added', price(1, 10, 20))
    for (const list of [{}, { productId: 10 }, { marketId: 20 }, { productId: 10, marketId: 20 }]) {
      expect(concerns(list, change)).toBe(true)
    }
    for (const list of [{ productId: 11 }, { marketId: 21 }, { productId: 10, marketId: 21 }]) {
      expect(concerns(list, change)).toBe(false)
    }
  })

  test('concerns the list that a price leaves and the one where it arrives', () => {
    const change = priceWritten('changed', price(1, 10, 20), price(1, 11, 20))
    expect([10, 11, 12].map((productId) => concerns({ productId }, change))).toEqual([true, true, false])
  })

  test('names fifty prices at most, and then concerns every list', () => {
    const one = priceWritten('removed', price(1, 10, 20))
    const fifty = Array.from({ length: 49 }).reduce((all: typeof one) => mergeChanges(all, one), one)
    expect(fifty.prices).toHaveLength(50)
    expect(Buffer.byteLength(JSON.stringify(fifty))).toBeLessThan(7_500)
    const more = mergeChanges(fifty, one)
    expect(more).toEqual(manyPrices)
    expect(concerns({ productId: 99 }, mergeChanges(more, one))).toBe(true)
  })

  test('announces new indices to all lists but those of a product, along with prices', () => {
    const [mine, other] = [priceWritten('added', price(1, 10, 20)), priceWritten('added', price(2, 10, 20))]
    expect([{}, { marketId: 20 }].map((list) => concerns(list, newIndices))).toEqual([true, true])
    expect(concerns({ productId: 10 }, newIndices)).toBe(false)
    const both = mergeChanges(mergeChanges(mine, newIndices), other)
    expect(both).toEqual({ ...mergeChanges(mine, other), areIndicesNew: true })
    expect(withoutOwn(both, new Set([1, 2]))).toEqual(newIndices)
    expect(mergeChanges(newIndices, manyPrices)).toEqual(manyPrices)
  })

  test('is empty without one’s own writes, unless another user wrote too', () => {
    const [mine, other] = [priceWritten('added', price(1, 10, 20)), priceWritten('added', price(2, 10, 20))]
    expect(withoutOwn(mine, new Set([1]))).toBeNull()
    expect(withoutOwn(mergeChanges(mine, other), new Set([1]))).toEqual(other)
    expect(withoutOwn(manyPrices, new Set([1]))).toEqual(manyPrices)
  })
})
