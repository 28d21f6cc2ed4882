import { expect, test } from 'vitest'
import { sendUnderKills } from '../support/report-kill.ts'

test('a server killed twenty times while it makes and sends reports has sent no mail twice', async () => {
  const kills = 20
  const { taken, planned, issues, states } = await sendUnderKills(kills, 1)
  expect(new Set(taken).size).toBe(taken.length)
  expect(issues.made).toBe(kills)
  const { sent = 0, sending = 0, unknown = 0 } = states
  expect(sent + sending + unknown).toBe(planned)
  // At most two mails are in progress: one sent the first time, and one sent again.
  expect(sending + unknown).toBeLessThanOrEqual(2 * kills)
})
