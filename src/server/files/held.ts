// Contents in a store, each there for as long as a row names it.

import { lockContent } from '#server/db/lock-content.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Content, Storage } from '#server/files/storage.ts'
import { dayMs } from '#shared/days.ts'

type Held = {
  db: Db
  storage: Storage
  /** Whether any row names it. */
  isUsed: (tx: Db, hash: string) => Promise<boolean>
}

/** Removes a content that no row names any more. */
export async function removeUnused({ db, storage, isUsed }: Held, hash: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockContent(tx, hash)
    if (!(await isUsed(tx, hash))) await storage.remove(hash)
  })
}

/**
 * Stores contents, then does the write that names them, in whose transaction `lockContent` is called. The store is never
 * waited for inside the transaction; where the write fails, they go away again unless a row names them.
 */
export async function storeThen<T>(
  held: Held,
  contents: readonly Content[],
  write: () => Promise<T>,
): Promise<T> {
  const { storage } = held
  for (const content of contents) await storage.put(content)
  let done: T
  try {
    done = await write()
  } catch (error) {
    for (const { hash } of contents) await removeUnused(held, hash).catch(() => undefined)
    throw error
  }
  // A removal that was under way before the lock may have taken it. The write is done whatever the store says now: it
  // has confirmed the content once.
  for (const content of contents) await putIfAbsent(storage, content).catch(() => undefined)
  return done
}

async function putIfAbsent(storage: Storage, content: Content): Promise<void> {
  if (!(await storage.has(content.hash))) await storage.put(content)
}

/** Removes what no row has named for `ageMs`: its write, or its removal, was interrupted. */
export async function sweepUnused(held: Held, signal: AbortSignal, ageMs = dayMs): Promise<void> {
  for (const hash of await held.storage.listOlder(ageMs)) {
    signal.throwIfAborted()
    await removeUnused(held, hash)
  }
}
