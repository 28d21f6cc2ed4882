import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const roomBytes = 4e9

export const hasFastDirectory = hasRoom(memory)

/**
 * Directory for the data of PostgreSQL in tests: in memory, when there is room. A killed process loses nothing that it
 * wrote there, and creating a database there takes an eighth of the processor time.
 */
export const fastDirectory = hasFastDirectory ? memory : tmpdir()

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > roomBytes
}
