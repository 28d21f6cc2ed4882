// A proxy between the application and PostgreSQL that simulates the failures of a network.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { PoolOptions } from '#server/db/pool.ts'

export type Fault =
  /** New connections are refused, and open ones closed. */
  | { kind: 'refuse' }
  /** Connections are reset, old and new. */
  | { kind: 'reset' }
  /** Connections stay open, and no data passes. */
  | { kind: 'hang' }
  /** Every answer is delayed by `ms`. */
  | { kind: 'latency'; ms: number }
  | { kind: 'bandwidth'; bytesPerS: number }
  /** Each connection breaks after this many more bytes of answers. */
  | { kind: 'cut'; afterBytes: number }
  /** A connection breaks at a message that contains `text`: before PostgreSQL receives it, or after it has answered. */
  | {
      kind: 'cut-at'
      text: string
      isDone: boolean
      /** Messages with `text` that pass before the cut. */
      passing?: number
    }

export type FaultProxy = {
  connection: Exclude<PoolOptions['connection'], string>
  /** Applies a fault to old and new connections; null ends the fault. */
  inject(fault: Fault | null): Promise<void>
  /** Number of connections that are open on both sides. */
  openCount(): number
  close(): Promise<void>
}

const tickMs = 50
// End of a simple query; nothing else that the application sends ends this way.

/** @param target a PostgreSQL that listens on a socket file */
export async function startFaultProxy(
  target: Exclude<PoolOptions['connection'], string>,
): Promise<FaultProxy> {
  let fault: Fault | null = null
  const links = new Set<ReturnType<typeof link>>()
  const server = createServer((client) => {
    const made = link(client, connect(`${target.host}/.s.PGSQL.${target.port}`), () => fault)
    links.add(made)
    made.onClose(() => links.delete(made))
  })
  const port = await listen(0)

  async function listen(wanted: number): Promise<number> {
    server.listen(wanted, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : wanted
  }

  return {
    connection: { ...target, host: '127.0.0.1', port },
    async inject(next) {
      fault = next
      if (next?.kind === 'refuse') server.close()
      else if (!server.listening) await listen(port)
      for (const each of links) each.apply(next)
    },
    openCount: () => links.size,
    async close() {
      server.close()
      for (const each of links) each.apply({ kind: 'refuse' })
    },
  }
}

/** One connection through the proxy. */
function link(client: Socket, upstream: Socket, current: () => Fault | null) {
  const answers: Buffer[] = []
  let isBreaking = false
  let passed = 0
  let timer: NodeJS.Timeout | undefined
  const closed = Promise.withResolvers<void>()

  function close(isReset = false): void {
    clearInterval(timer)
    if (isReset) client.resetAndDestroy()
    else client.destroy()
    upstream.destroy()
    closed.resolve()
  }

  function ask(bytes: Buffer): void {
    const fault = current()
    isBreaking = fault?.kind === 'cut-at' && bytes.includes(fault.text)
    if (fault?.kind === 'cut-at' && isBreaking && fault.passing) {
      fault.passing -= 1
      isBreaking = false
    }
    if (fault?.kind === 'cut-at' && isBreaking && !fault.isDone) close(true)
    else upstream.write(bytes)
  }

  function answer(bytes: Buffer): void {
    const fault = current()
    if (isBreaking) {
      close(true)
    } else if (fault?.kind === 'latency') {
      setTimeout(() => client.writable && client.write(bytes), fault.ms)
    } else if (fault?.kind === 'cut') {
      client.write(bytes.subarray(0, Math.max(0, fault.afterBytes - passed)))
      passed += bytes.length
      if (passed >= fault.afterBytes) close()
    } else if (fault?.kind === 'bandwidth' || answers.length > 0) {
      answers.push(bytes)
    } else {
      client.write(bytes)
    }
  }

  function drip(bytesPerS: number): void {
    const [first = Buffer.alloc(0), ...rest] = answers
    const length = Math.ceil((bytesPerS * tickMs) / 1000)
    answers.splice(0, answers.length, ...(first.length > length ? [first.subarray(length)] : []), ...rest)
    if (first.length > 0) client.write(first.subarray(0, length))
  }

  function apply(fault: Fault | null): void {
    clearInterval(timer)
    passed = 0
    isBreaking = false
    if (fault?.kind === 'refuse') close()
    else if (fault?.kind === 'reset') close(true)
    else if (fault?.kind === 'hang') for (const socket of [client, upstream]) socket.pause()
    else for (const socket of [client, upstream]) socket.resume()
    if (fault?.kind === 'bandwidth') timer = setInterval(drip, tickMs, fault.bytesPerS)
    else for (const bytes of answers.splice(0)) client.write(bytes)
  }

  client.on('data', ask).on('error', () => {})
  upstream.on('data', answer).on('error', () => {})
  client.on('close', () => close())
  upstream.on('close', () => close())
  apply(current())
  return { apply, onClose: (listener: () => void) => void closed.promise.then(listener) }
}
