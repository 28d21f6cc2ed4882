import { expect, test } from 'vitest'
import { stopUnderWriters } from '../../../tests/support/stops.ts'

// The bench does twenty.
test('ten writers who never pause see no connection reset while servers stop, and refusals of ours', async () => {
  const refused = await stopUnderWriters(5)
  expect(refused.length).toBeGreaterThan(0)
  for (const outcome of refused) {
    expect(outcome).toMatchObject({
      status: 503,
      type: 'application/json; charset=utf-8',
      retryAfter: '2',
      policy: expect.stringContaining("default-src 'none'"),
      body: expect.stringMatching(/redémarre.*"requestId":"[0-9a-f-]{36}"/),
    })
  }
})
