import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Gate } from '#server/http/gate.ts'
import type { Admission } from '#server/http/overload.ts'
import { createVisitorQueues } from '#server/http/visitors.ts'
import type { LoadOptions, LoadReport } from './load-program.ts'

const program = join(import.meta.dirname, 'load-program.ts')

/** Runs the load program in another process. */
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

/** Returns the successful responses per second, without the first and last second, which are incomplete. */
export function goodput({ goodPerSecond }: LoadReport, seconds: number): number {
  const whole = goodPerSecond.slice(1, seconds)
  return whole.reduce((sum, good) => sum + good, 0) / whole.length
}

const open: Gate = { run: (work) => work(), admits: () => true }

/** Admits every request, like a server without limits. */
export const openAdmission: Admission = {
  everyday: open,
  visitors: createVisitorQueues(),
  gateOf: () => open,
}

/** Treats each connection as a different signed-in user, because visitors of one network share a small quota. */
export const byConnection = {
  callerOf: ({ socket }: IncomingMessage) => socket.remotePort,
  authenticate: async ({ raw }: FastifyRequest) => ({
    userId: raw.socket.remotePort ?? 0,
    sessionId: 1,
    key: null,
    limits: { minute: 0, month: 0 },
    name: '',
    permissions: [],
    noAccessReason: null,
  }),
}
