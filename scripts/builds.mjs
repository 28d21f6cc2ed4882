// Builds are stored side by side in dist/builds: dist/current links to the last one, and each server holds its own.
import {
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './lock.mjs'

const most = 3
const holder = /^\.server-(\d+)$/

/** Makes the output in `work` the current build, in one step, and deletes old builds. */
export function publish(dist, work, inputs) {
  const name = `${inputs}-${Date.now().toString(36)}`
  renameSync(work, join(dist, 'builds', name))
  const link = join(dist, `.current-${process.pid}`)
  rmSync(link, { force: true })
  symlinkSync(join('builds', name), link)
  renameSync(link, join(dist, 'current'))
  prune(dist)
}

/** Prevents the current build from being deleted while this process runs, however many builds follow. */
export function hold(dist) {
  try {
    writeFileSync(join(realpathSync(join(dist, 'current')), `.server-${process.pid}`), '')
  } catch (error) {
    // On a read-only disk, builds are neither made nor deleted.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

function prune(dist) {
  const builds = join(dist, 'builds')
  const current = readlinkSync(join(dist, 'current')).replace(/^builds\//, '')
  const old = readdirSync(builds)
    .filter((name) => !name.startsWith('.') && name !== current)
    .sort((a, b) => (stamp(a) < stamp(b) ? 1 : -1))
  for (const name of old.slice(most - 1)) {
    if (!isHeld(join(builds, name))) rmSync(join(builds, name), { recursive: true, force: true })
  }
}

function stamp(name) {
  return name.split('-')[1] ?? ''
}

function isHeld(build) {
  const pids = readdirSync(build).flatMap((name) => holder.exec(name)?.[1] ?? [])
  return pids.some((pid) => isAlive(Number(pid)))
}
