// Capacity of this machine, and processor time used by this run.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, freemem, loadavg } from 'node:os'

/** Memory of a test worker with its browser and its databases. */
const workerBytes = 1.5e9

/** Returns how many test files run in parallel: one per core, fewer when memory or other programs leave less. */
export function testWorkers() {
  const cores = availableParallelism()
  const idle = Math.round(cores - Math.max(0, loadavg()[0] - cores))
  return Math.max(1, Math.min(cores, idle, Math.floor(freeBytes() / workerBytes)))
}

/**
 * Returns the processor time (s), user and system, of this process and of its descendants that have ended; null where
 * the system does not report it.
 */
export function usedProcessorSeconds() {
  try {
    // utime, stime, cutime and cstime, in hundredths of a second; the name before them may contain blanks.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return null
  }
}

/** Returns the processor time (s) of a fixed piece of work, to measure how fast this machine is at the moment. */
export function yardstickSeconds() {
  const before = process.cpuUsage()
  let digest = Buffer.alloc(32)
  for (let round = 0; round < 400_000; round++) digest = createHash('sha256').update(digest).digest()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Returns the ids of the other running processes whose environment contains this setting. */
export function processesWith(setting) {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => environmentOf(pid).includes(setting))
      .map(Number)
  } catch {
    return []
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    // The process has ended, or belongs to another user.
    return []
  }
}

// Memory used as a cache counts as available.
function freeBytes() {
  try {
    const available = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    return available ? Number(available[1]) * 1024 : freemem()
  } catch {
    return freemem()
  }
}
