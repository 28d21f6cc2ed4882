import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { addFaultyRoute, faultyOperation } from '../tests/fuzz/control.ts'
import { fuzz } from '../tests/fuzz/fuzz.ts'
import { fuzzWorld } from '../tests/fuzz/world.ts'
import type { Measure } from './measure.ts'
import { withPostgres } from './support/private-postgres.ts'

export const title = 'What 200 000 requests from valid to hostile find'

const requests = 200_000
const relaxed = { fsync: 'off', synchronous_commit: 'off' }

export async function measure(): Promise<Measure[]> {
  const { report, seconds } = await run(requests)
  for (const finding of report.findings) console.error(finding)
  const perOperation = [...report.answers.values()].map((hundreds) =>
    Object.values(hundreds).reduce((sum, count) => sum + count, 0),
  )
  const control = await run(20_000, addFaultyRoute)
  return [
    { what: 'requests sent', value: report.sent, unit: 'requests', atLeast: requests },
    { what: 'of which in a second', value: report.sent / seconds, unit: 'requests' },
    { what: 'operations', value: report.answers.size, unit: 'operations' },
    { what: 'least tried operation', value: Math.min(...perOperation), unit: 'requests', atLeast: 500 },
    { what: 'faults found', value: report.findings.length, unit: 'faults', atMost: 0 },
    { what: 'control: faults found', value: control.report.findings.length, unit: 'faults', atLeast: 1 },
    { what: 'control: found after', value: control.seconds, unit: 's', atMost: 60 },
  ]
}

function run(count: number, addRoutes?: (http: FastifyInstance) => void) {
  return withPostgres(async (postgres) => {
    const world = await fuzzWorld(postgres, addRoutes)
    const start = performance.now()
    const report = await fuzz(world, { seed: 1, requests: count, until: { operation: faultyOperation } })
    const seconds = (performance.now() - start) / 1000
    await world.close()
    return { report, seconds }
  }, relaxed)
}
