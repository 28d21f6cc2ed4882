import pg from 'pg'

export type Listener = {
  /** Subscribes to a channel. Call it for all channels synchronously after `listen`, before anything is awaited. */
  subscribe(channel: string, hooks: Hooks): void
  /** False while notifications may be lost; nothing may be cached then. */
  isConnected(): boolean
  /** Resolves when the first connection attempt has succeeded or failed. */
  firstAttempt: Promise<void>
  close(): Promise<void>
}

type Hooks = {
  onNotification(payload: string): void
  /** Called after every (re)connection. Notifications sent before it are lost, so discard all cached state. */
  onConnect(): void
  /** Called when the connection is lost: no notification comes until `onConnect`. */
  onDisconnect?(): void
}

const pingEveryMs = 10_000
const longestPauseMs = 5_000

/** Listens to all channels on one separate connection, and reconnects when it is lost. */
export function listen(connection: pg.ClientConfig): Listener {
  const hooksByChannel = new Map<string, Hooks>()
  let client: pg.Client | null = null
  let isConnected = false
  let isClosed = false
  let pauseMs = 50
  let timer: NodeJS.Timeout | undefined

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = null
    const wasConnected = isConnected
    isConnected = false
    lost.end().catch(() => undefined) // already broken: nothing is left to release
    if (!isClosed) {
      timer = setTimeout(connect, pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
    if (wasConnected) for (const { onDisconnect } of hooksByChannel.values()) onDisconnect?.()
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connection,
      connectionTimeoutMillis: 4_000,
      query_timeout: 4_000,
      keepAlive: true,
    })
    client = next
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', ({ channel, payload }) =>
      hooksByChannel.get(channel)?.onNotification(payload ?? ''),
    )
    try {
      await next.connect()
      for (const channel of hooksByChannel.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch {
      return lose(next)
    }
    if (isClosed) return
    isConnected = true
    pauseMs = 50
    for (const { onConnect } of hooksByChannel.values()) onConnect()
    ping(next)
  }

  // A hung connection looks open; only an answer proves that notifications still arrive.
  function ping(current: pg.Client): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => client === current && ping(current),
        () => lose(current),
      )
    }, pingEveryMs)
    timer.unref()
  }

  const firstAttempt = connect()
  return {
    subscribe: (channel, hooks) => void hooksByChannel.set(channel, hooks),
    isConnected: () => isConnected,
    firstAttempt,
    async close() {
      isClosed = true
      isConnected = false
      clearTimeout(timer)
      await client?.end()
    },
  }
}
