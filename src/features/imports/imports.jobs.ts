import { deleteUnusedRows, listCreatedRows } from '#features/imports/created.sql.ts'
import { importJob, type World } from '#features/imports/import-job.jobs.ts'
import { importers } from '#features/imports/importers.jobs.ts'
import type { ImportKind, ImportState, StoredReport } from '#features/imports/imports.contract.ts'
import { endState, findStoredImport, type StoredImport } from '#features/imports/imports.sql.ts'
import { Superseded, watchProgress } from '#features/imports/progress.jobs.ts'
import { keepRejected } from '#features/imports/rejected.jobs.ts'
import { sweepImports } from '#features/imports/sweep.jobs.ts'
import { deleteUnchangedPrices } from '#features/prices/imports/undo.sql.ts'
import { manyPrices, priceChannel } from '#features/prices/live/live.rules.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { inBulkTransaction } from '#server/db/bulk-transaction.ts'
import { codeOf, constraintOf, isSerializationFailure, isUnavailable } from '#server/db/errors.ts'
import { lockImports } from '#server/db/lock-imports.ts'
import { notify } from '#server/db/notify.ts'
import { AppError } from '#server/errors.ts'
import { feedMessage } from '#server/feed.ts'
import type { ImportOutcome } from '#server/importing.ts'
import type { Attempt, Task } from '#server/jobs/jobs.ts'

export function importTasks(world: World): Task[] {
  return [
    importJob.doneBy(async ({ importId }, attempt) => {
      const found = await findStoredImport(world.db, importId)
      if (found?.state === 'checking') await readFile(world, found, attempt)
      if (found?.state === 'writing') await readFile(world, found, attempt)
      if (found?.state === 'undoing') await undo(world, found, attempt)
    }),
    {
      name: 'sweep imports',
      everyMs: 3_600_000,
      run: () => sweepImports(world),
    },
  ]
}

/** Tries a file, or imports it. What is written and the state that says so are kept together, or not at all. */
async function readFile(world: World, found: StoredImport, attempt: Attempt): Promise<void> {
  const { db, pool, files } = world
  const { id, kind, fileName, state, storedAs, currencyMap, actor } = found
  const isDryRun = state === 'checking'
  const importer = importers[kind]
  if (!storedAs) {
    await endState(db, id, { from: state, to: 'failed', failure: fileGone })
    return
  }
  await whileWanted(world, found, attempt, 'failed', async (progress) => {
    const rejected = await keepRejected(files, storedAs)
    try {
      const outcome = await importer(pool, rejected.source(), {
        isDryRun,
        currencyMap: new Map(Object.entries(currencyMap)),
        author: actor,
        fileName,
        importId: id,
        signal: progress.signal,
        onProgress: progress.onProgress,
        onRejected: rejected.onRejected,
        async onWritten(tx, { priceIds, ...written }) {
          await progress.stop()
          await rejected.keep()
          const report = reportOf(written)
          const created = await listCreatedRows(tx)
          const isOurs = await endState(tx, id, { from: state, to: 'done', report, priceIds, created })
          if (!isOurs) throw new Superseded()
        },
      })
      if (!isDryRun) return
      await progress.stop()
      await rejected.keep()
      await endState(db, id, { from: state, to: 'checked', report: reportOf(outcome) })
    } finally {
      await rejected.drop()
    }

    function reportOf({ errors, ...outcome }: ImportOutcome): StoredReport {
      return { ...outcome, errors: errors.slice(0, mostErrorsShown), ...rejected.report() }
    }
  })
}

// All of them can be downloaded.
const mostErrorsShown = 50

/** Takes back all that an import wrote, unless some of it is no longer as it was written. */
async function undo(world: World, found: StoredImport, attempt: Attempt): Promise<void> {
  const { id, kind, fileName, state, report, priceIds, created, actor } = found
  await whileWanted(world, found, attempt, 'done', (progress) =>
    inBulkTransaction(
      world.pool,
      async ({ tx }) => {
        progress.onProgress({ stage: 'waiting', rows: 0, bytes: 0 })
        await lockImports(tx)
        progress.onProgress({ stage: 'writing', rows: 0, bytes: 0 })
        const prices = priceIds ? await deleteUnchangedPrices(tx, { importId: id, priceIds }) : 0
        const catalogue = created ? await deleteUnusedRows(tx, created) : null
        const removed = priceIds ? prices : (catalogue?.product ?? 0)
        const kept = (report?.added ?? 0) - removed
        if (kept > 0) throw new AppError('conflict', keptSince(kind, kept))
        if (prices > 0) await notify(tx, priceChannel, feedMessage(manyPrices))
        const before = { importId: id, file: fileName, added: removed }
        const after = { prices, catalogue }
        await insertAudit(tx, actor, { action: 'undo import', entity: kind, before, after })
        await progress.stop()
        if (!(await endState(tx, id, { from: state, to: 'undone' }))) throw new Superseded()
      },
      { signal: progress.signal },
    ),
  )
}

/** Why an import cannot be undone: `count` of what it added are no longer as it wrote them. */
export function keptSince(kind: ImportKind, count: number): string {
  const isOne = count === 1
  const number = new Intl.NumberFormat('fr-FR').format(count)
  const what = {
    prices: isOne
      ? 'relevé de cet import a été modifié ou supprimé'
      : 'relevés de cet import ont été modifiés ou supprimés',
    products: isOne
      ? 'produit de cet import a été modifié ou supprimé, ou sert ailleurs'
      : 'produits de cet import ont été modifiés ou supprimés, ou servent ailleurs',
  }
  return `${number}\u00a0${what[kind]} depuis\u00a0: il ne peut plus être annulé.`
}

/**
 * Does work for the present state of an import until it is done, refused, or nobody wants it any more.
 *
 * @param otherwise the state that it gets when the work is refused
 * @throws what another attempt may mend
 */
async function whileWanted(
  { db, log }: World,
  { id, state }: StoredImport,
  attempt: Attempt,
  otherwise: ImportState,
  work: (progress: ReturnType<typeof watchProgress>) => Promise<void>,
): Promise<void> {
  const progress = watchProgress(db, id, state, attempt.signal)
  try {
    await work(progress)
  } catch (error) {
    attempt.signal.throwIfAborted()
    if (error instanceof Superseded) return
    if (isPassing(error) && !attempt.isLast) throw error
    await progress.stop()
    await endState(db, id, { from: state, to: otherwise, failure: explain(error) })
    if (!(error instanceof AppError)) log.error({ err: error, importId: id }, 'import failed')
  } finally {
    await progress.stop()
  }
}

/** What may be over at the next attempt: the database is away, or somebody wrote at the same time. */
function isPassing(error: unknown): boolean {
  const broken = constraintOf(error)?.kind
  const crossed = isSerializationFailure(error) || broken === 'unique' || broken === 'foreign-key'
  return crossed || isUnavailable(error)
}

const fileGone = 'Le fichier n’est plus là. Envoyez-le de nouveau.'

function explain(error: unknown): string {
  if (error instanceof AppError) return error.message
  if (codeOf(error) === 'ENOENT') return fileGone
  if (isPassing(error))
    return 'La base de données n’a pas répondu assez longtemps. Rien n’a été écrit\u00a0: réessayez.'
  return 'Une erreur est survenue de notre côté. Rien n’a été écrit.'
}
