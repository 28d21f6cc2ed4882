// What one signed-in user does to keep a server from the others, and somebody who only wants to work beside it.

import type { Client } from './server.ts'

/** Goes on until it is aborted; resolves once nothing of it is left. */
type Attack = (signal: AbortSignal) => Promise<void>

/** Asks for the same thing on many connections, each again as soon as it is answered. */
export function searches(attacker: Client, path: string, connections = 20): Attack {
  return (signal) => repeat(connections, signal, () => attacker.send(path, { signal }))
}

/** Does something again and again, so many times at once. */
async function repeat(times: number, signal: AbortSignal, once: () => Promise<unknown>): Promise<void> {
  const loop = async () => {
    while (!signal.aborted) await once().catch(() => {})
  }
  await Promise.all(Array.from({ length: times }, loop))
}

export type Watched = { refused: string[]; ms: number[] }

/**
 * Asks for simple things, one after the other, for as long as an attack lasts.
 *
 * @returns how long each took, in ascending order, and the answers that were not 200
 */
export async function watchDuring(
  attack: Attack,
  seconds: number,
  { neighbour, paths }: { neighbour: Client; paths: readonly string[] },
): Promise<Watched> {
  const watched: Watched = { refused: [], ms: [] }
  // Known to the server before it begins, as whoever is at work is.
  for (const path of paths) await neighbour.get(path)
  const signal = AbortSignal.timeout(seconds * 1000)
  const attacking = attack(signal)
  for (let index = 0; !signal.aborted; index++) {
    const path = paths[index % paths.length] ?? ''
    const startedAt = performance.now()
    const { status } = await neighbour.get(path)
    watched.ms.push(performance.now() - startedAt)
    if (status !== 200) watched.refused.push(`${status} ${path}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await attacking
  watched.ms.sort((a, b) => a - b)
  return watched
}
