import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { demonstrationPassword } from '#demonstration/facts/people.ts'
import { privateDirectory } from '../support/embedded.ts'
import { programEnv } from '../support/program-env.ts'
import { client } from '../support/server.ts'

const root = resolve(import.meta.dirname, '../..')
const library = findLibrary()
if (!library)
  console.warn(
    'Sans libfaketime (Debian : apt-get install libfaketime), rien n’est essayé sous une autre heure.',
  )

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Returns the library that gives programs another time: the installed one, or Debian's package unpacked beside it. */
function findLibrary(): string | undefined {
  const name = 'lib/*/faketime/libfaketimeMT.so.1'
  const [installed] = globSync(`/usr/${name}`)
  if (installed) return installed
  const directory = mkdtempSync(join(tmpdir(), 'ntalo-library-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  spawnSync('apt-get', ['download', 'libfaketime'], { cwd: directory, timeout: 60_000 })
  const [packed] = globSync(`${directory}/libfaketime_*.deb`)
  if (packed) spawnSync('dpkg-deb', ['-x', packed, directory])
  return globSync(`${directory}/usr/${name}`)[0]
}

/** Starts the program on a directory; the url is null when it refuses to start, with its output. */
async function start(dataDir: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    cwd: root,
    env: {
      ...programEnv,
      PORT: '0',
      DATA_DIR: dataDir,
      DEMONSTRATION_PRICES: '500',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  const url = await new Promise<string | null>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
        const [, address] = /Ntalo écoute sur (\S+)/.exec(said) ?? []
        if (address) done(address)
      })
    }
    child.once('exit', () => done(null))
  })
  return {
    url,
    said,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Returns the number of subscriptions with each status, as an administrator sees them. */
async function subscriptions(url: string): Promise<Record<string, number>> {
  const visitor = client(url, null, null)
  const { body, status } = await visitor.post('/api/auth/login', {
    email: 'admin@ntalo.cd',
    password: demonstrationPassword,
  })
  expect(status).toBe(200)
  const counted: Record<string, number> = {}
  for (const kind of ['ACTIVE', 'TRIAL', 'EXPIRED', 'CANCELED']) {
    const answer = await visitor.send(`/api/subscriptions?limit=1&status=${kind}`, {
      headers: { authorization: `Bearer ${Object(body).token}` },
    })
    counted[kind] = Object(answer.body).pagination.total
  }
  return counted
}

test.skipIf(!library)(
  'a clock 400 days ahead is refused; accepted by an operator, it ends no subscription permanently within half a minute',
  async () => {
    const dataDir = privateDirectory(onTestFinished)
    const usual = await start(dataDir)
    const before = await subscriptions(usual.url ?? '')
    expect(before.ACTIVE).toBeGreaterThan(0)
    await usual.stop()

    // PostgreSQL uses the machine's own clock, like a database on another machine.
    const ahead = { LD_PRELOAD: library ?? '', FAKETIME: '+400d', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    const refused = await start(dataDir, ahead)
    expect(refused.url).toBeNull()
    expect(refused.said).toContain('ACCEPT_CLOCK=1')

    const early = await start(dataDir, { ...ahead, ACCEPT_CLOCK: '1' })
    expect(early.url, early.said).not.toBeNull()
    await sleep(30_000)
    await early.stop()

    const again = await start(dataDir)
    expect(await subscriptions(again.url ?? '')).toEqual(before)
    await again.stop()
  },
)
