import { changesOf, counted, untouchedText } from '#features/imports/created.rules.ts'
import { listCreatedRows } from '#features/imports/created.sql.ts'
import { type ImportDependencies, importJob } from '#features/imports/import-job.jobs.ts'
import type { ImportOptions, ImportOutcome } from '#features/imports/importer.jobs.ts'
import type { Import, ImportState, StoredReport } from '#features/imports/imports.contract.ts'
import {
  endState,
  failState,
  findStoredImport,
  insertDoneImport,
  reserveImportId,
  type StoredImport,
} from '#features/imports/imports.sql.ts'
import { lockImports } from '#features/imports/lock.sql.ts'
import { Superseded, watchProgress } from '#features/imports/progress.jobs.ts'
import { keepRejected } from '#features/imports/rejected.jobs.ts'
import type { ImportWords } from '#features/imports/report.contract.ts'
import { sweepImports } from '#features/imports/sweep.jobs.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import type { Mapping, ProposedTable } from '#features/mappings/mappings.contract.ts'
import { findMappingsByTitles } from '#features/mappings/mappings.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { inBulkTransaction } from '#server/db/bulk-transaction.ts'
import { codeOf, constraintOf, isDiskFull, isSerializationFailure, isUnavailable } from '#server/db/errors.ts'
import { AppError } from '#server/errors.ts'
import { readHead } from '#server/files/read-head.ts'
import type { Attempt, Task } from '#server/jobs/jobs.ts'
import { comparedTitle } from '#shared/csv/header.ts'
import { UnknownTitles } from '#shared/csv/layout.ts'
import { hourMs } from '#shared/days.ts'

export function importTasks(dependencies: ImportDependencies): Task[] {
  return [
    importJob.doneBy(async ({ importId, actor }, attempt) => {
      const found = await findStoredImport(dependencies.db, importId)
      if (found?.state === 'checking' || found?.state === 'writing')
        await readFile(dependencies, found, attempt)
      if (found?.state === 'undoing') await undo(dependencies, found, attempt, actor)
    }),
    {
      name: 'sweep imports',
      everyMs: hourMs,
      run: () => sweepImports(dependencies),
    },
  ]
}

/** Runs a dry run or an import of a file. The rows and the state of the import commit together. */
async function readFile(
  dependencies: ImportDependencies,
  found: StoredImport,
  attempt: Attempt,
): Promise<void> {
  const { db, pool, files, importers } = dependencies
  const { id, kind, fileName, state, storedAs, currencyMap, mapping, actor } = found
  const isDryRun = state === 'checking'
  if (!storedAs) return failState(db, found, fileGone, null)
  await runUnlessSuperseded(dependencies, found, attempt, null, async (progress) => {
    const rejected = await keepRejected(files, storedAs)
    try {
      const outcome = await importers[kind].read(pool, rejected.source(), {
        isDryRun,
        currencyMap: new Map(Object.entries(currencyMap)),
        mapping,
        author: actor,
        fileName,
        importId: id,
        signal: progress.signal,
        onProgress: progress.onProgress,
        onRejected: rejected.onRejected,
        async onWritten(tx, { ids, ...written }) {
          await progress.stop()
          await rejected.keep()
          const report = reportOf(written)
          const created = await listCreatedRows(tx)
          const isOurs = await endState(tx, id, { from: state, to: 'done', report, ids, created })
          if (!isOurs) throw new Superseded()
        },
      })
      if (!isDryRun) return
      await progress.stop()
      await rejected.keep()
      await endState(db, id, { from: state, to: 'checked', report: reportOf(outcome) })
    } catch (error) {
      const table =
        isDryRun && isUnknownTable(error) && (await describe(dependencies, found, storedAs, progress.signal))
      if (!table) throw error
      await progress.stop()
      await endState(db, id, { from: state, to: 'unmapped', table })
    } finally {
      await rejected.drop()
    }

    function reportOf({ errors, ...outcome }: ImportOutcome): StoredReport {
      return { ...outcome, errors: errors.slice(0, mostErrorsShown), rejectedKept: rejected.count() }
    }
  })
}

const isUnknownTable = (error: unknown) => error instanceof AppError && error.cause instanceof UnknownTitles
const rowsShown = 10

/** Reads the first rows of a table with unknown titles, and proposes a mapping; null if the file is not a table. */
async function describe(
  { db, files, importers }: ImportDependencies,
  { kind }: StoredImport,
  key: string,
  signal: AbortSignal,
): Promise<ProposedTable | null> {
  const { mapped } = importers[kind]
  const head = mapped && (await readHead(files.read(key), signal))
  if (!mapped || !head) return null
  const guess = await mapped.propose(db, head)
  const saved = await findMappingsByTitles(db, kind, mapped.lastingTitles(guess).map(comparedTitle))
  // A saved mapping names the columns as its own file did: rename them to the titles of this file.
  const proposal = saved
    .map((each) => renamed(each, head.titles))
    .find((each) => !mapped.faults(each).some(({ field }) => 'column' in (each.fields[field] ?? {})))
  return { titles: head.titles, rows: head.rows.slice(0, rowsShown), proposal: proposal ?? guess }
}

/** Returns the mapping with its columns named as in the file. */
export function renamed(mapping: Mapping, titles: string[]): Mapping {
  const now = new Map(titles.map((title) => [comparedTitle(title), title]))
  const called = (title: string) => now.get(comparedTitle(title)) ?? title
  const fields = Object.entries(mapping.fields).map(([key, field]) => [
    key,
    'column' in field
      ? { ...field, column: called(field.column) }
      : 'inTitles' in field && field.inTitles !== true
        ? { inTitles: field.inTitles.map(called) }
        : field,
  ])
  return { ...mapping, titles, fields: Object.fromEntries(fields) }
}

/**
 * Prepares an import by command to appear in the list: returns its id, and the callback that records it within the
 * transaction that writes.
 *
 * @param fileBytes called at the end, since the size of piped input is not known before
 */
export async function prepareCommandImport(
  db: ImportDependencies['db'],
  {
    kind,
    fileName,
    currencyMap,
    fileBytes,
  }: {
    kind: ImportKind
    fileName: string
    currencyMap: ReadonlyMap<string, 'CDF' | 'USD'>
    fileBytes: () => number
  },
): Promise<Required<Pick<ImportOptions, 'importId' | 'onWritten'>>> {
  const importId = await reserveImportId(db)
  return {
    importId,
    async onWritten(tx, { ids, errors, ...outcome }) {
      await insertDoneImport(tx, {
        id: importId,
        kind,
        fileName: fileName.slice(0, 255),
        fileBytes: fileBytes(),
        currencyMap: Object.fromEntries(currencyMap),
        report: { ...outcome, errors: errors.slice(0, mostErrorsShown), rejectedKept: 0 },
        ids,
        created: await listCreatedRows(tx),
      })
    },
  }
}

// Rejections shown on screen; all of them can be downloaded.
const mostErrorsShown = 50

/** Undoes everything that an import wrote, or refuses if some of it has changed since. */
async function undo(
  dependencies: ImportDependencies,
  found: StoredImport,
  attempt: Attempt,
  formerActor: Import['actor'] | undefined,
): Promise<void> {
  const { id, kind, fileName, state, report, ids, created, actor } = found
  const importer = dependencies.importers[kind]
  await runUnlessSuperseded(dependencies, found, attempt, formerActor, (progress) =>
    inBulkTransaction(
      dependencies.pool,
      async ({ tx }) => {
        progress.onProgress({ stage: 'waiting', rows: 0, bytes: 0 })
        await lockImports(tx)
        progress.onProgress({ stage: 'writing', rows: 0, bytes: 0 })
        const { removed, details } = await importer.undo(tx, { importId: id, ids, created })
        const changed = changesOf(report) - removed
        if (changed > 0) throw new AppError('stale', changedSince(importer.words, changed))
        const { added = 0, revised = 0 } = report ?? {}
        const before = { importId: id, file: fileName, added, revised }
        await insertAudit(tx, actor, { action: 'undo import', entity: kind, before, after: details })
        await progress.stop()
        if (!(await endState(tx, id, { from: state, to: 'undone' }))) throw new Superseded()
      },
      { signal: progress.signal },
    ),
  )
}

/** Returns why an import cannot be undone: `count` of its added rows have changed since. */
export function changedSince({ changed }: ImportWords, count: number): string {
  return `${counted(count, changed)} depuis\u00a0: il ne peut plus être annulé.`
}

/**
 * Runs work for the current state of an import until it is done, refused, or the state is changed by a request.
 *
 * @param formerActor who requested the state that a failed undo restores
 * @throws an error that a later attempt may not meet
 */
async function runUnlessSuperseded(
  { db, log }: ImportDependencies,
  found: StoredImport,
  attempt: Attempt,
  formerActor: Import['actor'] | undefined,
  work: (progress: ReturnType<typeof watchProgress>) => Promise<void>,
): Promise<void> {
  const { id, state } = found
  const progress = watchProgress(db, id, state, attempt.signal)
  try {
    await work(progress)
  } catch (error) {
    attempt.signal.throwIfAborted()
    if (error instanceof Superseded) return
    if (isTransient(error) && !attempt.isLast) throw error
    await progress.stop()
    await failState(db, found, explain(error, state), formerActor)
    if (!(error instanceof AppError)) log.error({ err: error, importId: id }, 'import failed')
  } finally {
    await progress.stop()
  }
}

/**
 * Whether an error may not occur at the next attempt: the database is unavailable, or a concurrent write conflicted.
 */
function isTransient(error: unknown): boolean {
  const broken = constraintOf(error)?.kind
  const crossed = isSerializationFailure(error) || broken === 'unique' || broken === 'foreign-key'
  return crossed || isUnavailable(error)
}

const fileGone = 'Le fichier n’est plus là. Envoyez-le de nouveau.'

function explain(error: unknown, state: ImportState): string {
  if (error instanceof AppError) return error.message
  if (codeOf(error) === 'ENOENT') return fileGone
  const untouched = untouchedText(state)
  if (isDiskFull(error)) return `Le disque du serveur est plein. ${untouched}\u00a0: réessayez plus tard.`
  if (isTransient(error))
    return `La base de données n’a pas répondu assez longtemps. ${untouched}\u00a0: réessayez.`
  return `Une erreur est survenue de notre côté. ${untouched}.`
}
