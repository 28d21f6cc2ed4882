import { expect } from 'vitest'
import { type Inflation, inflation } from '#features/inflation/inflation.contract.ts'
import type { testServer } from './server.ts'

type Reader = Awaited<ReturnType<Awaited<ReturnType<typeof testServer>>['as']>>

/**
 * Returns a function that requests the inflation page for a query string, and checks the response against its contract.
 */
export function inflationReader(reader: Reader): (query?: string) => Promise<Inflation> {
  return async (query = '') => {
    const { status, body, text } = await reader.get(`/api/statistics/inflation?${query}`)
    expect(status, text).toBe(200)
    return inflation.parse(body)
  }
}
