// What this machine can do at once, and how much of its processor we have used.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, freemem, loadavg } from 'node:os'

/** What a worker of the tests takes with its browser and its databases. */
const workerBytes = 1.5e9

/** How many test files run beside each other: one a core, fewer where memory or other programs leave less. */
export function testWorkers() {
  const cores = availableParallelism()
  const idle = Math.round(cores - Math.max(0, loadavg()[0] - cores))
  return Math.max(1, Math.min(cores, idle, Math.floor(freeBytes() / workerBytes)))
}

/**
 * Seconds of processor, user and system, of this process and of all that it started and that have ended; null where the
 * system does not say.
 */
export function usedProcessorSeconds() {
  try {
    // utime, stime, cutime and cstime, in hundredths of a second; the name before them may hold blanks.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return null
  }
}

/** Seconds of processor that a fixed piece of work takes: how fast this machine is just now. */
export function yardstickSeconds() {
  const before = process.cpuUsage()
  let digest = Buffer.alloc(32)
  for (let round = 0; round < 400_000; round++) digest = createHash('sha256').update(digest).digest()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** The numbers of the living processes whose environment holds this setting, but our own. */
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
    // It has ended, or is somebody else's.
    return []
  }
}

// What is in use as a cache can be had.
function freeBytes() {
  try {
    const available = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    return available ? Number(available[1]) * 1024 : freemem()
  } catch {
    return freemem()
  }
}
