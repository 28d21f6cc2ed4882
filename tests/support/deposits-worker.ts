import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { DepositsOptions } from './deposits-program.ts'
import { programEnv } from './program-env.ts'

const program = resolve(import.meta.dirname, 'deposits-program.ts')

/** Starts another process that follows deposits; resolves once it is at work. */
export async function startWorker(options: DepositsOptions): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    env: programEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('ready')) return child
  throw new Error(`the worker ended with ${child.exitCode}`)
}

/** Kills the process with SIGKILL, like a power cut. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit')
  if (worker.exitCode === null && worker.signalCode === null && worker.kill('SIGKILL')) await ended
}
