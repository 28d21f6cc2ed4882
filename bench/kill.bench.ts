import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type KillReport, killTrial, type Victim, victims } from '../tests/support/kill-trial.ts'
import { stopUnderWriters } from '../tests/support/stops.ts'
import { type Measure, percentile } from './measure.ts'
import { forgetful } from './support/private-postgres.ts'

export const title = 'What 50 kills under 16 writers lose, and what 20 stops show to 10'

const seed = 20_260_101
const writers = 16
const stops = 20

export async function measure(): Promise<Measure[]> {
  const kills = fc.sample(fc.constantFrom(...victims), { seed, numRuns: 50 })
  const report = await onOwnDirectory((dataDir) => killTrial({ dataDir, kills, writers, seed }))
  const control = await onOwnDirectory((dataDir) =>
    killTrial({
      dataDir,
      kills: Array<Victim>(10).fill('PostgreSQL'),
      writers,
      seed,
      program: join(import.meta.dirname, 'support/forgetful-server.ts'),
      relaxedSettings: forgetful,
    }),
  )
  const refused = await stopUnderWriters(stops)
  const broken = refused.filter((outcome) => typeof outcome === 'string' || outcome.status !== 503)
  return [
    { what: `refusals of ours to ten writers over ${stops} stops`, value: refused.length, unit: 'answers' },
    {
      what: 'of which connections reset, or another answer',
      value: broken.length,
      unit: 'answers',
      atMost: 0,
    },
    { what: 'kills', value: report.backAfterMs.length, unit: 'kills', atLeast: 50 },
    { what: 'prices acknowledged', value: report.acknowledged, unit: 'prices' },
    { what: 'of which lost', value: report.lost, unit: 'prices', atMost: 0 },
    { what: 'written twice', value: report.doubled, unit: 'prices', atMost: 0 },
    { what: 'without their audit entry', value: report.halves, unit: 'prices', atMost: 0 },
    // The trial compares every cell with the prices, and fails at the first that differs.
    { what: 'rollups that differ from their prices', value: 0, unit: 'cells', atMost: 0 },
    ...victims.flatMap((victim) => backAfter(report, victim)),
    { what: 'control, synchronous_commit off: acknowledged', value: control.acknowledged, unit: 'prices' },
    { what: 'control, synchronous_commit off: lost', value: control.lost, unit: 'prices', atLeast: 1 },
  ]
}

function backAfter({ backAfterMs }: KillReport, victim: Victim): Measure[] {
  const times = backAfterMs
    .filter((each) => each.victim === victim)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return [
    {
      what: `writing again after ${victim} was killed (${times.length} times), median`,
      value: percentile(times, 0.5),
      unit: 'ms',
    },
    { what: `the same, longest`, value: percentile(times, 1), unit: 'ms', atMost: 5_000 },
  ]
}

async function onOwnDirectory<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  try {
    return await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}
