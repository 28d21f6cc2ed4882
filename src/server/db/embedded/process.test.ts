import { closeSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, privateDirectory } from '../../../../tests/support/embedded.ts'
import { holdCluster, isGuarded, launch } from './process.ts'

test('a PostgreSQL that nobody holds any more before it listens to signals is stopped all the same', async () => {
  const root = privateDirectory()
  const cluster = clusterOf(root, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)')
  const hold = holdCluster(cluster)
  const launched = launch(cluster, {})
  closeSync(hold.descriptor)
  expect(launched.hasEnded()).toBe(false)
  expect(isGuarded(cluster)).toBe(true)
  await eventually('it has stopped', () => launched.hasEnded())
  await eventually('nobody watches over it any more', () => !isGuarded(cluster))
})

/** A cluster whose PostgreSQL is a program that runs `first` before it listens to signals, and serves nothing. */
function clusterOf(root: string, first: string) {
  const [dir, binaries] = [join(root, 'postgres'), join(root, 'binaries')]
  mkdirSync(dir)
  mkdirSync(join(binaries, 'bin'), { recursive: true })
  const lines = [
    `#!${process.execPath}`,
    first,
    "process.on('SIGINT', () => process.exit())",
    'setInterval(() => {}, 60_000)',
  ]
  writeFileSync(join(binaries, 'bin', 'postgres'), lines.join('\n'), { mode: 0o700 })
  return {
    dir,
    binaries,
    logFile: join(root, 'postgres.log'),
    holdFile: join(root, 'postgres.hold'),
    socketDir: root,
    user: {},
  }
}
