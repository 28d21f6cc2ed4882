// Programs in separate processes, measured over HTTP. Each runs with the options of `npm start`, like this process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AppProgramOptions } from './app-program.ts'
import type { BareProgramOptions } from './bare-program.ts'

export type Program = { child: ChildProcess; pid: number; url: string; stop: () => void }

export const startApp = (options: AppProgramOptions) => start('app-program.ts', options)
export const startBare = (options: BareProgramOptions) => start('bare-program.ts', options)

async function start(file: string, options: object): Promise<Program> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, file), JSON.stringify(options)],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  if (!child.stdout || child.pid === undefined) throw new Error(`${file} did not start`)
  const [line] = await once(child.stdout, 'data')
  return { child, pid: child.pid, url: String(line).trim(), stop: () => child.kill('SIGKILL') }
}
