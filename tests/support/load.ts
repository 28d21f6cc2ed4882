import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Gate } from '#server/http/gate.ts'
import type { Admission } from '#server/http/overload.ts'
import { createVisitorLines } from '#server/http/visitors.ts'
import type { LoadOptions, LoadReport } from './load-program.ts'

const program = join(import.meta.dirname, 'load-program.ts')

/** Asks an address from another process. */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  // The program prints nothing else.
  return JSON.parse(output) as LoadReport
}

/** Good answers per second, without the first and the last second, which are not whole. */
export function goodput({ goodPerSecond }: LoadReport, seconds: number): number {
  const whole = goodPerSecond.slice(1, seconds)
  return whole.reduce((sum, good) => sum + good, 0) / whole.length
}

const open: Gate = { run: (work) => work(), admits: () => true }

/** Takes everything: what a server without bounds does. */
export const openAdmission: Admission = { everyday: open, visitors: createVisitorLines(), gateOf: () => open }

/** Each connection is somebody signed in: visitors of one network share little. */
export const byConnection = {
  callerOf: ({ socket }: IncomingMessage) => socket.remotePort,
  authenticate: async ({ raw }: FastifyRequest) => ({
    userId: raw.socket.remotePort ?? 0,
    sessionId: 1,
    key: null,
    limits: { minute: 0, month: 0 },
    name: '',
    permissions: [],
    closed: null,
  }),
}
