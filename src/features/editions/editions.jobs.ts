import { once } from 'node:events'
import { editionFiles } from '#features/editions/editions.contract.ts'
import { makeEdition } from '#features/editions/editions.routes.ts'
import { endOfMonth, lastSettledMonth } from '#features/editions/editions.rules.ts'
import { findCurrent, insertEdition, listStoredKeys, nextNumber } from '#features/editions/editions.sql.ts'
import { keepDataPackage, type MadeFiles } from '#features/editions/making/making.jobs.ts'
import { hasPricesUntil } from '#features/editions/making/making.sql.ts'
import { sendWebhooks } from '#features/webhooks/webhooks.routes.ts'
import { recordMessage } from '#features/webhooks/webhooks.sql.ts'
import type { Db, PoolOptions } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type FilePlace, openFiles } from '#server/files/place.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { startThread } from '#server/thread.ts'
import { dayInKinshasa, dayMs, hourMs } from '#shared/days.ts'
import { methodEdition } from '#shared/method.ts'

type Dependencies = {
  db: Db
  connection: PoolOptions['connection']
  place: FilePlace
  clock: () => Date
}

/** Hours of the night in Kinshasa, when there are few requests. */
const night = { from: 1, to: 5 }
/** Heap limit of the thread (MB): a row group of 25 000 prices and its compression fit in it. */
const heapMb = 256

/** Publishes the last month at night, makes a requested edition, and deletes files that belong to no edition. */
export function editionTasks(dependencies: Dependencies): Task[] {
  const { db, place, clock } = dependencies
  return [
    {
      name: 'publish edition',
      everyMs: hourMs,
      async run(_payload, { signal }) {
        const now = clock()
        const hour = (now.getUTCHours() + 1) % 24
        if (hour < night.from || hour > night.to) return
        const month = lastSettledMonth(dayInKinshasa(now))
        if (!(await findCurrent(db, month))) await publishEdition(dependencies, month, signal)
      },
    },
    makeEdition.doneBy(({ month }, { signal }) => publishEdition(dependencies, month, signal)),
    { name: 'sweep editions', everyMs: dayMs, run: () => sweepFiles(db, place) },
  ]
}

/** Makes the edition of a month in a thread; publishes nothing if its files equal those of the current edition. */
export async function publishEdition(
  { db, connection, place }: Omit<Dependencies, 'clock'>,
  month: string,
  signal: AbortSignal,
): Promise<void> {
  const lastDay = endOfMonth(month)
  if (!(await hasPricesUntil(db, lastDay))) return
  const number = await nextNumber(db)
  const stem = `ntalo-prix-${month}-edition-${number}`
  const thread = startThread(new URL('./making/making-thread.jobs.ts', import.meta.url), {
    workerData: { connection, place, lastDay, stem },
    heapMb,
  })
  let made: MadeFiles
  try {
    ;[made] = await once(thread, 'message', { signal })
  } finally {
    await thread.terminate()
  }
  const { rows, files } = made
  const store = openFiles(place, editionFiles)
  const current = await findCurrent(db, month)
  if (current && files.every(({ sha256 }) => current.files.some((file) => file.sha256 === sha256))) {
    for (const { storedAs } of files) await store.remove(storedAs)
    return
  }
  const edition = { number, month, rows, method: methodEdition }
  const described = await keepDataPackage(store, { ...edition, lastDay }, files)
  await inTransaction(db, async (tx) => {
    await insertEdition(tx, { ...edition, files: [...files, described] })
    const hashes = files.map(({ format, sha256, bytes }) => ({ format, sha256, bytes }))
    const data = { ...edition, lastDay, supersedes: current?.number ?? null, files: hashes }
    await recordMessage(tx, { event: 'edition.published', data })
    await sendWebhooks.add(tx, {})
  })
}

/** Deletes the files of interrupted jobs, which belong to no edition. */
async function sweepFiles(db: Db, place: FilePlace): Promise<void> {
  const store = openFiles(place, editionFiles)
  const old = await store.listOlder(dayMs)
  const stored = new Set(await listStoredKeys(db))
  for (const key of old) if (!stored.has(key)) await store.remove(key)
}
