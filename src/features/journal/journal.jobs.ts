import { z } from 'zod'
import { checkChain, insertCheck, linkEntries } from '#features/journal/chain.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { dayMs } from '#shared/days.ts'

/** Checks the whole chain now, and stores the result. */
export const checkJournal = defineJob('check journal', z.object({}))

/** Number of entries added to the chain in one transaction. */
const linkedTogether = 2_000
/** How many of the last links are searched for entries of long transactions: in each run, and every night. */
const behind = { usual: 5_000, nightly: 200_000 }

/** Adds new entries to the chain, and checks the whole chain every night. */
export function journalTasks({ db, log }: { db: Db; log: Log }): Task[] {
  const check = (signal: AbortSignal) => verifyJournal(db, log, signal)
  return [
    { name: 'link journal', everyMs: 10_000, run: (_payload, { signal }) => linkJournal(db, signal) },
    { name: 'check journal nightly', everyMs: dayMs, run: (_payload, { signal }) => check(signal) },
    checkJournal.doneBy((_payload, { signal }) => check(signal)),
  ]
}

/** Adds all entries that are not in the chain yet. */
export async function linkJournal(db: Db, signal?: AbortSignal, looksBehind = behind.usual): Promise<void> {
  while (!signal?.aborted) {
    if ((await inTransaction(db, (tx) => linkEntries(tx, linkedTogether, looksBehind))) < linkedTogether)
      return
  }
}

/** Checks the whole chain, stores the result, and logs a fault as an error. */
export async function verifyJournal(db: Db, log: Log, signal?: AbortSignal): Promise<void> {
  await linkJournal(db, signal, behind.nightly)
  const found = await checkChain(db, signal)
  if (!found) return
  await insertCheck(db, found)
  const { links, fault, entryId } = found
  const head = found.head.toString('hex')
  // The log is stored elsewhere, so a rebuilt chain would differ from the heads logged before.
  if (fault) log.error({ links, head, fault, entryId }, 'the journal was changed')
  else log.info({ links, head }, 'the journal is whole')
}
