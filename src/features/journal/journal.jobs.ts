import { z } from 'zod'
import { checkChain, insertCheck, linkEntries } from '#features/journal/chain.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { dayMs } from '#shared/days.ts'

/** Looks at the whole chain now, and notes what was found. */
export const checkJournal = defineJob('check journal', z.object({}))

/** Entries chained in one transaction. */
const linkedTogether = 2_000
/** How far behind the last links an entry may be whose transaction took long: every time, and every night. */
const behind = { usual: 5_000, nightly: 200_000 }

/** Chains what was written, and looks at the whole chain every night. */
export function journalTasks({ db, log }: { db: Db; log: Log }): Task[] {
  const check = (signal: AbortSignal) => verifyJournal(db, log, signal)
  return [
    { name: 'link journal', everyMs: 10_000, run: (_payload, { signal }) => linkJournal(db, signal) },
    { name: 'check journal nightly', everyMs: dayMs, run: (_payload, { signal }) => check(signal) },
    checkJournal.doneBy((_payload, { signal }) => check(signal)),
  ]
}

/** Chains everything that is not chained yet. */
export async function linkJournal(db: Db, signal?: AbortSignal, looksBehind = behind.usual): Promise<void> {
  while (!signal?.aborted) {
    if ((await inTransaction(db, (tx) => linkEntries(tx, linkedTogether, looksBehind))) < linkedTogether)
      return
  }
}

/** Looks at the whole chain, notes what was found, and says aloud what is wrong. */
export async function verifyJournal(db: Db, log: Log, signal?: AbortSignal): Promise<void> {
  await linkJournal(db, signal, behind.nightly)
  const found = await checkChain(db, signal)
  if (!found) return
  await insertCheck(db, found)
  const { links, fault, entryId } = found
  const head = found.head.toString('hex')
  // The log is stored elsewhere: the chain cannot be made anew without differing from what it says.
  if (fault) log.error({ links, head, fault, entryId }, 'the journal was changed')
  else log.info({ links, head }, 'the journal is whole')
}
