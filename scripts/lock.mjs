import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Holds a directory as a lock between processes while `work` runs; takes over the lock of a dead owner. */
export async function withLock(path, what, work) {
  mkdirSync(dirname(path), { recursive: true })
  let announced = false
  while (!acquire(path)) {
    const owner = readOwner(path)
    if (owner !== undefined && !isAlive(owner)) discard(path, owner)
    else if (!announced) {
      announced = true
      console.log(`En attente : ${what} est en cours (processus ${owner ?? 'inconnu'})…`)
    }
    await sleep(200)
  }
  const release = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

// The directory is prepared with its owner's name before it becomes the lock, so that a lock always has an owner.
function acquire(path) {
  const prepared = `${path}.${process.pid}`
  rmSync(prepared, { recursive: true, force: true })
  mkdirSync(prepared)
  writeFileSync(join(prepared, 'pid'), String(process.pid))
  try {
    renameSync(prepared, path)
    return true
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true })
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false
    throw error
  }
}

function readOwner(path) {
  try {
    return Number(readFileSync(join(path, 'pid'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether this process, started in this directory, still runs. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  try {
    // Process ids are reused: a process in another directory is not the one that took this lock.
    return readlinkSync(`/proc/${pid}/cwd`) === process.cwd()
  } catch {
    return true
  }
}

// Two waiters may both find the owner dead; the second must not remove the lock of the first.
function discard(path, deadOwner) {
  const aside = `${path}.dead.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (readOwner(aside) !== deadOwner) {
    try {
      renameSync(aside, path)
      return
    } catch {
      // A third process took the lock meanwhile; at worst, two processes do the same work.
    }
  }
  rmSync(aside, { recursive: true, force: true })
}
