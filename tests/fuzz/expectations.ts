import { expect } from 'vitest'
import { expectExactRollups } from '../support/exact-rollups.ts'
import { fuzz } from './fuzz.ts'
import type { FuzzWorld } from './world.ts'

/**
 * Sends this many requests: none fails, and each operation gets its share.
 *
 * @param mostMissed largest share of operations that may refuse all their requests: a fuzzer that is always refused
 * tests little
 */
export async function expectNoFindings(app: FuzzWorld, requests: number, mostMissed: number): Promise<void> {
  const report = await fuzz(app, { seed: 20_261_123, requests })
  expect(report.findings).toEqual([])
  expect(report.sent).toBeGreaterThanOrEqual(requests)

  const answers = [...report.answers.values()]
  expect(answers).toHaveLength(app.operations.length)
  for (const [name, hundreds] of report.answers) {
    const sent = Object.values(hundreds).reduce((sum, count) => sum + count, 0)
    expect(sent, name).toBeGreaterThanOrEqual(Math.floor(requests / answers.length))
  }
  const missed = [...report.answers].filter(([, hundreds]) => !hundreds[2]).map(([name]) => name)
  expect(missed.length / answers.length, missed.join(', ')).toBeLessThan(mostMissed)
  expect(missed.join()).not.toMatch(/google/)
  await expectExactRollups(app.db)
}
