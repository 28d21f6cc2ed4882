import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const scripts = resolve(import.meta.dirname, '../scripts')
const dist = mkdtempSync(join(tmpdir(), 'ntalo-dist-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dist, { recursive: true, force: true })
})

function program(lines: string): ChildProcess {
  const source = `import { hold, publish } from '${scripts}/builds.mjs'; ${lines}`
  const args = ['--input-type=module', '-e', source]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function build(name: string): Promise<void> {
  const work = join(dist, 'builds', '.work')
  mkdirSync(work, { recursive: true })
  expect(await once(program(`publish('${dist}', '${work}', '${name}')`), 'exit')).toEqual([0, null])
}

const current = () => basename(realpathSync(join(dist, 'current')))

test('a build stays while a server runs on it, whatever is built meanwhile, and the next build after that removes it', async () => {
  await build('first')
  const first = current()
  const server = program(`hold('${dist}'); console.log('held'); setInterval(() => {}, 60_000)`)
  await once(server.stdout!, 'data')
  for (const name of ['second', 'third', 'fourth', 'fifth']) await build(name)
  const names = () => readdirSync(join(dist, 'builds')).map((name) => name.split('-')[0])
  expect(current()).toMatch(/^fifth-/)
  expect(names().sort()).toEqual(['fifth', 'first', 'fourth', 'third'])
  expect(readdirSync(join(dist, 'builds', first))).toEqual([`.server-${server.pid}`])

  server.kill('SIGKILL')
  await once(server, 'exit')
  await build('sixth')
  expect(names().sort()).toEqual(['fifth', 'fourth', 'sixth'])
})
