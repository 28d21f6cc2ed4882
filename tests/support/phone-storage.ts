// The storage of a phone in memory: as much of IndexedDB and Cache Storage as the field tool uses.
import { vi } from 'vitest'

type Store = Map<string, unknown>
/** A stored answer. */
type Held = { body: ArrayBuffer; headers: [string, string][] }
type Asked = string | { url: string }
const pathOf = (asked: Asked) => (typeof asked === 'string' ? asked : new URL(asked.url).pathname)

/** Creates the storage of a phone. It survives its programs, which can be killed at a write. */
export function phoneStorage() {
  const stores = new Map<string, Store>()
  const caches = new Map<string, Map<string, Held>>()
  const run = { number: 0, writesLeft: Number.POSITIVE_INFINITY, isFull: false, onKill: () => {} }
  let channel: { onmessage: () => Promise<void> } | undefined

  /** Writes, unless the program that asks is dead: then nothing ever answers it. */
  function write(of: number, change: () => void): Promise<void> {
    if (of === run.number && run.writesLeft > 0) {
      run.writesLeft -= 1
      change()
      return Promise.resolve()
    }
    if (of === run.number) run.onKill()
    return new Promise(() => {})
  }

  function transactionOf(of: number, rows: Store, mode: IDBTransactionMode) {
    const asked: (() => void)[] = []
    const changes: (() => void)[] = []
    const request = <T>(read: () => T) => {
      const made: { result?: T; onsuccess?: () => void } = {}
      asked.push(() => {
        made.result = read()
        made.onsuccess?.()
      })
      return made
    }
    const transaction = {
      error: new Error('QuotaExceededError'),
      oncomplete: () => {},
      onabort: () => {},
      objectStore: () => ({
        get: (key: string) => request(() => structuredClone(rows.get(key))),
        getAll: () => request(() => structuredClone([...rows.values()])),
        put: (value: unknown, key: string) => changes.push(() => rows.set(key, structuredClone(value))),
        delete: (key: string) => changes.push(() => rows.delete(key)),
      }),
    }
    queueMicrotask(async () => {
      for (let next = asked.shift(); next; next = asked.shift()) next()
      if (mode === 'readonly') return transaction.oncomplete()
      if (run.isFull) return transaction.onabort()
      await write(of, () => {
        for (const change of changes) change()
      })
      transaction.oncomplete()
    })
    return transaction
  }

  function indexedDbOf(of: number) {
    const storeOf = (name: string) => {
      const rows = stores.get(name) ?? new Map<string, unknown>()
      stores.set(name, rows)
      return rows
    }
    const base = {
      objectStoreNames: { contains: (name: string) => stores.has(name) },
      createObjectStore: storeOf,
      transaction: (name: string, mode: IDBTransactionMode) => transactionOf(of, storeOf(name), mode),
    }
    return {
      open() {
        const request = { result: base, onupgradeneeded: () => {}, onsuccess: () => {} }
        queueMicrotask(() => {
          request.onupgradeneeded()
          request.onsuccess()
        })
        return request
      },
    }
  }

  function cachesOf(of: number) {
    return {
      async open(name: string) {
        const held = caches.get(name) ?? new Map<string, Held>()
        caches.set(name, held)
        return {
          async put(path: string, answer: Response) {
            const made = { body: await answer.arrayBuffer(), headers: [...answer.headers] }
            // A browser removes the former answer before it writes the new one.
            if (held.has(path)) await write(of, () => held.delete(path))
            await write(of, () => held.set(path, made))
          },
          delete: (asked: Asked) => write(of, () => held.delete(pathOf(asked))),
          keys: async () => [...held.keys()].map((path) => ({ url: `http://phone${path}` })),
          async match(asked: Asked) {
            const found = held.get(pathOf(asked))
            return found && new Response(found.body, found)
          },
        }
      },
    }
  }

  return {
    /** Sets a setting, or a row of another store, as an earlier visit left it. */
    set(key: string, value: unknown, store = 'settings') {
      stores.set(store, (stores.get(store) ?? new Map<string, unknown>()).set(key, value))
    },
    /** Empties the database, like a browser that finds it damaged; Cache Storage stays. */
    loseDatabase() {
      stores.clear()
    },
    /** Makes the database refuse writes; Cache Storage still takes them. */
    fill(isFull: boolean) {
      run.isFull = isFull
    },
    /** Starts a program, which takes the storage from the one before. */
    start() {
      run.number += 1
      run.writesLeft = Number.POSITIVE_INFINITY
      vi.stubGlobal('indexedDB', indexedDbOf(run.number))
      vi.stubGlobal('caches', cachesOf(run.number))
      vi.stubGlobal(
        'BroadcastChannel',
        class {
          onmessage = async () => {}
          constructor() {
            channel = this
          }
          postMessage() {}
        },
      )
      vi.stubGlobal('navigator', { onLine: false, locks: { request: async () => {} } })
    },
    /** Tells the program that another tab has changed entries; resolves once it has read them. */
    async tell() {
      await channel?.onmessage()
    },
    /** Kills the program at the write after `writes` more; the promise resolves then. */
    killAfter(writes: number): Promise<'killed'> {
      run.writesLeft = writes
      return new Promise((resolve) => {
        run.onKill = () => resolve('killed')
      })
    },
  }
}
