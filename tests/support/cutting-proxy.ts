// A bad network between a browser and the server: half of the exchanges are cut at any byte, or answered by another
// server.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type CuttingProxy = {
  url: string
  /** Turns the faults on or off for new connections. */
  cut(isCutting: boolean): void
  /** Number of connections that were cut or answered by another server. */
  faults(): number
  close(): void
}

/** Fault of an exchange that does not pass. */
export type Fault = 'refuse' | 'cut-asking' | 'cut-answer' | 'lose-answer' | 'other'

const allFaults: readonly Fault[] = ['refuse', 'cut-asking', 'cut-answer', 'lose-answer', 'other']

type Fate =
  | { kind: 'pass' }
  | { kind: 'refuse' }
  | { kind: 'cut-asking' | 'cut-answer'; afterBytes: number }
  /** The server has processed the request, but its response never arrives. */
  | { kind: 'lose-answer' }
  | { kind: 'other'; answer: string }

const portal = '<html><title>Wi-Fi</title>Payez pour continuer</html>'
const others = [
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${portal.length}\r\nconnection: close\r\n\r\n${portal}`,
  'HTTP/1.1 302 Found\r\nlocation: http://portail.invalid/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
]

/** @param seed seed of the faults, which depend on the order of the connections */
export async function startCuttingProxy(
  target: string,
  seed: number,
  kinds: readonly Fault[] = allFaults,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  let isCutting = false
  let cuts = 0
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const fate = isCutting && random() < 0.5 ? faultOf(kinds, random) : ({ kind: 'pass' } as const)
    if (fate.kind !== 'pass') cuts += 1
    carry(client, connect(Number(port), hostname), fate, () => isCutting)
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cut(next) {
      isCutting = next
      for (const socket of sockets) socket.destroy()
    },
    faults: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function faultOf(kinds: readonly Fault[], random: () => number): Fate {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'refuse'
  if (kind === 'cut-asking') return { kind, afterBytes: Math.floor(random() * 1_500) }
  if (kind === 'cut-answer') return { kind, afterBytes: Math.floor(random() * 1_200) }
  if (kind === 'other') return { kind, answer: others[Math.floor(random() * others.length)] ?? '' }
  return { kind }
}

function carry(client: Socket, upstream: Socket, fate: Fate, isCutting: () => boolean): void {
  let asked = 0
  let answered = 0
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  client.on('error', end).on('close', end)
  upstream.on('error', end)
  if (fate.kind === 'refuse') {
    end()
    return
  }
  client.on('data', (bytes) => {
    if (fate.kind === 'other') {
      client.end(fate.answer)
      return
    }
    if (fate.kind === 'cut-asking' && asked + bytes.length > fate.afterBytes) {
      upstream.write(bytes.subarray(0, Math.max(0, fate.afterBytes - asked)))
      end()
      return
    }
    asked += bytes.length
    upstream.write(bytes)
  })
  upstream.on('data', (bytes) => {
    if (fate.kind === 'lose-answer') {
      end()
      return
    }
    if (fate.kind === 'cut-answer' && answered + bytes.length > fate.afterBytes) {
      client.write(bytes.subarray(0, Math.max(0, fate.afterBytes - answered)), end)
      return
    }
    answered += bytes.length
    client.write(bytes)
    // One exchange per connection, so that each has its own fault.
    if (isCutting()) setTimeout(() => client.end(), 200)
  })
  upstream.on('end', () => client.end())
}
