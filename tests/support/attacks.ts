// What one signed-in user does to keep a server from the others, and somebody who only wants to work beside it.

import { once } from 'node:events'
import { connect } from 'node:net'
import { form } from './forms.ts'
import type { Client } from './server.ts'

/** Goes on until it is aborted; resolves once nothing of it is left. */
export type Attack = (signal: AbortSignal) => Promise<void>

/** Asks for the same thing on many connections, each again as soon as it is answered. */
export function searches(attacker: Client, path: string, connections = 20): Attack {
  return (signal) => repeat(connections, signal, () => attacker.send(path, { signal }))
}

/** Sends pictures that are small to send and long to decode. */
export function pictures(attacker: Client, path: string, bytes: Buffer, connections = 12): Attack {
  return (signal) =>
    repeat(connections, signal, () =>
      attacker.send(path, { method: 'POST', body: form({}, { file: bytes }), signal }),
    )
}

/** Sends forms that parsers do not get to the end of, and forms that never end. */
export function brokenForms(attacker: Client, url: string, path: string, connections = 100): Attack {
  const half = connections / 2
  const send = (body: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: ntalo\r\nAuthorization: Bearer ${attacker.token}\r\n` +
    `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${body}`
  const endless = '--b\r\n\r\n--b--'
  const unfinished = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  return async (signal) => {
    await Promise.all([
      hold(url, half, signal, send(endless, endless.length)),
      hold(url, half, signal, send(unfinished, 4_000_000)),
    ])
  }
}

/** Asks for files and reads nothing of them. */
export function unreadDownloads(attacker: Client, url: string, path: string, connections = 20): Attack {
  const request = `GET ${path} HTTP/1.1\r\nHost: ntalo\r\nAuthorization: Bearer ${attacker.token}\r\n\r\n`
  return (signal) => hold(url, connections, signal, request, false)
}

/** Holds so many connections open, each with a request of its own; one that is cut is opened again. */
async function hold(url: string, connections: number, signal: AbortSignal, request: string, isRead = true) {
  const { hostname, port } = new URL(url)
  await repeat(connections, signal, async () => {
    const socket = connect(Number(port), hostname)
    const leave = () => void socket.destroy()
    signal.addEventListener('abort', leave)
    socket.on('error', () => {})
    if (isRead) socket.resume()
    socket.write(request)
    await once(socket, 'close')
    signal.removeEventListener('abort', leave)
  })
}

/** Does something again and again, so many times at once. */
async function repeat(times: number, signal: AbortSignal, once: () => Promise<unknown>): Promise<void> {
  const loop = async () => {
    while (!signal.aborted) {
      await once().catch(() => {})
      // As if he were not on the same machine.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
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
  // Signed in before it begins, as a user at work is.
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
