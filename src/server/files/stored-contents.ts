// Stored contents; each is removed when no row references it any more.

import { lockContent } from '#server/db/lock-content.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Content, Storage } from '#server/files/storage.ts'
import { dayMs } from '#shared/days.ts'

type ContentStore = {
  db: Db
  storage: Storage
  /** Whether any row references the content. */
  isUsed: (tx: Db, hash: string) => Promise<boolean>
}

/** Removes a content unless a row references it. */
export async function removeUnused({ db, storage, isUsed }: ContentStore, hash: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockContent(tx, hash)
    if (!(await isUsed(tx, hash))) await storage.remove(hash)
  })
}

/**
 * Stores contents, then runs the write that references them, which must call `lockContent` in its transaction. The
 * storage is not used inside the transaction. If the write fails, contents that no row references are removed.
 */
export async function storeAndReference<T>(
  store: ContentStore,
  contents: readonly Content[],
  write: () => Promise<T>,
): Promise<T> {
  const { storage } = store
  for (const content of contents) await storage.put(content)
  let done: T
  try {
    done = await write()
  } catch (error) {
    for (const { hash } of contents) await removeUnused(store, hash).catch(() => undefined)
    throw error
  }
  // A removal already running before the lock may have deleted a content, so it is stored again if absent. Errors are
  // ignored: the write is committed, and the storage has confirmed the content once.
  for (const content of contents) await putIfAbsent(storage, content).catch(() => undefined)
  return done
}

async function putIfAbsent(storage: Storage, content: Content): Promise<void> {
  if (!(await storage.has(content.hash))) await storage.put(content)
}

/** Removes contents older than `ageMs` that no row references, left by an interrupted write or removal. */
export async function sweepUnused(store: ContentStore, signal: AbortSignal, ageMs = dayMs): Promise<void> {
  for (const hash of await store.storage.listOlder(ageMs)) {
    signal.throwIfAborted()
    await removeUnused(store, hash)
  }
}
