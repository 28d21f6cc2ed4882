import type { PhoneEntry } from '#features/collection/phone/phone.rules.ts'

const name = 'ntalo-collecte'
const copies = 'ntalo-collecte-copies'
const stores = ['settings', 'entries'] as const
type Store = (typeof stores)[number]

let opening: Promise<IDBDatabase> | undefined

function openBase(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => {
      for (const store of stores) request.result.createObjectStore(store)
    }
    request.onsuccess = () => {
      const base = request.result
      const forget = () => {
        opening = undefined
      }
      base.onversionchange = () => {
        base.close()
        forget()
      }
      base.onclose = forget
      resolve(base)
    }
    request.onerror = () => {
      opening = undefined
      reject(request.error)
    }
  })
  return opening
}

/** Runs work on one store in one transaction, which is on the disk when this resolves. */
async function within<T>(
  store: Store,
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const base = await openBase()
  return new Promise((resolve, reject) => {
    // The default loses what was written in the minutes before a power cut.
    const transaction = base.transaction(store, mode, { durability: 'strict' })
    const request = work(transaction.objectStore(store))
    transaction.oncomplete = () => resolve(request?.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

export async function readSetting<T>(key: string): Promise<T | undefined> {
  return (await within('settings', 'readonly', (rows) => rows.get(key))) as T | undefined
}

export async function writeSetting(key: string, value: unknown): Promise<void> {
  await within('settings', 'readwrite', (rows) => void rows.put(value, key))
}

/** Reads a setting and writes what it becomes, in one transaction. */
export async function changeSetting<T>(key: string, change: (before: T | undefined) => T): Promise<T> {
  let after: T | undefined
  await within('settings', 'readwrite', (rows) => {
    const request = rows.get(key)
    request.onsuccess = () => {
      after = change(request.result as T | undefined)
      rows.put(after, key)
    }
    return undefined
  })
  return after as T
}

const copyOf = (id: string) => `/collecte/copies/${id}`

/**
 * Stores an entry that is not received yet, twice: Chromium empties a whole database whose log is damaged, by a full disk for
 * one, so that the copy outside of it comes first.
 *
 * @throws when either place refuses: the entry is then not stored, and has to be shown as such
 */
export async function storeEntry(entry: PhoneEntry): Promise<void> {
  const cache = await caches.open(copies)
  await cache.put(copyOf(entry.id), new Response(JSON.stringify(entry)))
  await within('entries', 'readwrite', (rows) => void rows.put(entry, entry.id))
}

/** Stores what has its receipt, whose second copy is no longer needed. */
export async function storeReceived(entries: readonly PhoneEntry[]): Promise<void> {
  await within('entries', 'readwrite', (rows) => {
    for (const entry of entries) rows.put(entry, entry.id)
    return undefined
  })
  const cache = await caches.open(copies)
  for (const { id } of entries) await cache.delete(copyOf(id))
}

/** Takes out an entry that its agent undoes, or that is received and old. */
export async function removeEntries(ids: readonly string[]): Promise<void> {
  const cache = await caches.open(copies)
  for (const id of ids) await cache.delete(copyOf(id))
  await within('entries', 'readwrite', (rows) => {
    for (const id of ids) rows.delete(id)
    return undefined
  })
}

/** All entries of the phone; those that the database has lost come back from their copies. */
export async function loadEntries(): Promise<PhoneEntry[]> {
  const entries = ((await within('entries', 'readonly', (rows) => rows.getAll())) ?? []) as PhoneEntry[]
  const found = new Map(entries.map((entry) => [entry.id, entry]))
  const cache = await caches.open(copies)
  for (const request of await cache.keys()) {
    const copy = (await (await cache.match(request))?.json().catch(() => null)) as PhoneEntry | null
    if (!copy) continue
    const stored = found.get(copy.id)
    if (stored?.state === 'received') await cache.delete(request)
    if (stored) continue
    await within('entries', 'readwrite', (rows) => void rows.put(copy, copy.id))
    found.set(copy.id, copy)
  }
  return [...found.values()].sort((a, b) => (a.deviceAt < b.deviceAt ? -1 : 1))
}
