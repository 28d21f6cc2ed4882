import pg from 'pg'

export type Listener = {
  /** Subscribes to a channel; all are named before anything else is waited for. */
  hear(channel: string, hooks: Hooks): void
  /** False while notifications may be lost: no one may cache then. */
  isConnected(): boolean
  /** Resolves once the first connection is made, or was tried in vain. */
  tried: Promise<void>
  close(): Promise<void>
}

type Hooks = {
  onNotification(payload: string): void
  /** Called after every (re)connection: what was notified meanwhile is lost, so start from nothing. */
  onConnect(): void
  /** Called when the connection is lost: until the next, nothing is notified. */
  onCut?(): void
}

const pingEveryMs = 10_000
const longestPauseMs = 5_000

/** Listens through one connection of its own, whatever the channels, and comes back by itself when that is cut. */
export function listen(connection: pg.ClientConfig): Listener {
  const hearers = new Map<string, Hooks>()
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
    if (wasConnected) for (const { onCut } of hearers.values()) onCut?.()
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
    next.on('notification', ({ channel, payload }) => hearers.get(channel)?.onNotification(payload ?? ''))
    try {
      await next.connect()
      for (const channel of hearers.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch {
      return lose(next)
    }
    if (isClosed) return
    isConnected = true
    pauseMs = 50
    for (const { onConnect } of hearers.values()) onConnect()
    ping(next)
  }

  // A connection that hangs looks open: only an answer proves that notifications still come.
  function ping(current: pg.Client): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => client === current && ping(current),
        () => lose(current),
      )
    }, pingEveryMs)
    timer.unref()
  }

  const tried = connect()
  return {
    hear: (channel, hooks) => void hearers.set(channel, hooks),
    isConnected: () => isConnected,
    tried,
    async close() {
      isClosed = true
      isConnected = false
      clearTimeout(timer)
      await client?.end()
    },
  }
}
