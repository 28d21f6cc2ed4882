// Requests by which one signed-in user tries to block a server for the others, and a second user who works meanwhile.

import { once } from 'node:events'
import { connect } from 'node:net'
import { form } from './forms.ts'
import type { Client } from './server.ts'

/** Runs until the signal is aborted; resolves once all its requests and connections have ended. */
export type Attack = (signal: AbortSignal) => Promise<void>

/** Sends the same request on many connections, each again as soon as it is answered. */
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

/** Sends forms that a parser never finishes, and forms whose body never ends. */
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

/** Requests files and never reads the responses. */
export function unreadDownloads(attacker: Client, url: string, path: string, connections = 20): Attack {
  const request = `GET ${path} HTTP/1.1\r\nHost: ntalo\r\nAuthorization: Bearer ${attacker.token}\r\n\r\n`
  return (signal) => hold(url, connections, signal, request, false)
}

/** Keeps `connections` connections open, each with its own request, and reopens one that is closed by the server. */
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

/** Repeats an action in `times` parallel loops until the signal is aborted. */
async function repeat(times: number, signal: AbortSignal, once: () => Promise<unknown>): Promise<void> {
  const loop = async () => {
    while (!signal.aborted) {
      await once().catch(() => {})
      // Pause that stands for the network between two machines.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await Promise.all(Array.from({ length: times }, loop))
}

export type Watched = { refused: string[]; ms: number[] }

/**
 * Sends simple requests, one after the other, while an attack runs.
 *
 * @returns the duration (ms) of each request in ascending order, and the responses other than 200
 */
export async function watchDuring(
  attack: Attack,
  seconds: number,
  { neighbour, paths }: { neighbour: Client; paths: readonly string[] },
): Promise<Watched> {
  const watched: Watched = { refused: [], ms: [] }
  // The neighbour signs in before the attack, like a user at work.
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
