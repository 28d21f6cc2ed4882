import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const roomBytes = 4e9

export const hasFastDirectory = hasRoom(memory)

/**
 * Where tests keep what PostgreSQL writes: in memory, where that has room. Killed processes lose nothing that the machine
 * keeps, and a database is made there in an eighth of the processor's time.
 */
export const fastDirectory = hasFastDirectory ? memory : tmpdir()

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > roomBytes
}
