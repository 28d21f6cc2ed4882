import { expect, test } from 'vitest'
import { sendUnderKills } from './support/report-kill.ts'

test('a report whose server is killed during sending reaches no subscriber twice, and every other subscriber once', async () => {
  const { taken, planned, issues, states } = await sendUnderKills(2, 3)
  expect(new Set(taken).size).toBe(taken.length)
  expect(issues.made).toBe(issues.planned)
  const { sent = 0, sending = 0, unknown = 0 } = states
  expect(sent + sending + unknown).toBe(planned)
  expect(sending + unknown).toBeLessThanOrEqual(4)
})
