import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ImportOutcome } from '#features/imports/importer.jobs.ts'
import { prepareCommandImport } from '#features/imports/imports.jobs.ts'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { importReport } from '#features/imports/report.contract.ts'
import { adviceOn, reportText } from '#features/imports/terminal.rules.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { findMappingByName, listSavedMappings } from '#features/mappings/mappings.sql.ts'
import { readArguments, UsageError } from '#main/import-arguments.ts'
import { FileChanged, readChunks, readPiped } from '#main/import-file.ts'
import { progressBar } from '#main/import-progress.ts'
import { readConfig } from '#server/config.ts'
import { assertClock } from '#server/db/clock.ts'
import { assertWritable } from '#server/db/durability.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { codeOf, DatabaseStartError, isDiskFull, isUnavailable } from '#server/db/errors.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { UnknownTitles } from '#shared/csv/layout.ts'

type Wanted = ReturnType<typeof readArguments>

const root = resolve(import.meta.dirname, '../..')

// Logs to standard error: standard output contains only the report.
const log = {
  info: (message: string) => console.error(message),
  warn: (message: string) => console.error(message),
  error: (message: string) => console.error(message),
}

const howToMap =
  'Un autre tableau se décrit une fois à la page Imports ; il se lit ensuite avec --mapping NOM.'

const fileFaults: Record<string, string> = {
  ENOENT: 'n’existe pas',
  EACCES: 'ne peut pas être lu : les droits manquent',
  EISDIR: 'est un dossier',
}

/** The program was interrupted by a signal. */
class Interrupted extends Error {
  readonly exitCode: number
  constructor(exitCode: number) {
    super('Import interrompu : rien n’a été écrit.')
    this.exitCode = exitCode
  }
}

let isCommitting = false

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort(new Interrupted(130)))
process.once('SIGTERM', () => interruption.abort(new Interrupted(143)))
process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  try {
    const wanted = readArguments(words)
    const outcome = await importFile(wanted)
    const notes = [...outcome.notes, ...adviceOn(outcome)]
    console.log(
      wanted.isJson
        ? JSON.stringify(importReport.parse({ ...outcome, notes }))
        : reportText({ ...wanted, ...outcome }),
    )
    return 0
  } catch (error) {
    const message = explain(error)
    console.error(message)
    if (words.includes('--json')) {
      // Line 0 stands for the whole file.
      const errors = [{ line: 0, message }]
      console.log(
        JSON.stringify({
          read: 0,
          added: 0,
          existing: 0,
          revised: 0,
          withdrawn: 0,
          rejected: 0,
          notes: [],
          reasons: [],
          errors,
        }),
      )
    }
    if (error instanceof Interrupted) return error.exitCode
    return error instanceof UsageError ? 2 : 1
  }
}

async function importFile(wanted: Wanted): Promise<ImportOutcome> {
  const { signal } = interruption
  const take = (source: AsyncIterable<Uint8Array>, totalBytes: number) => {
    const show = progressBar(process.stderr, totalBytes)
    let bytesRead = 0
    const onProgress: typeof show = (progress) => {
      isCommitting = progress.stage === 'done'
      bytesRead = progress.bytes
      show(progress)
    }
    return withDatabase(async ({ pool, db }) => {
      const mapping = wanted.mappingName === null ? null : await findMapping(db, wanted.mappingName)
      const options = wanted.isDryRun
        ? {}
        : await prepareCommandImport(db, { ...wanted, kind: 'prices', fileBytes: () => bytesRead })
      return importPrices(pool, source, { ...wanted, ...options, mapping, signal, onProgress })
    })
  }
  if (wanted.path === '-') return take(readPiped(signal), 0)
  // Opened first, so that a wrong file name is reported before a database is started.
  const file = await open(wanted.path)
  try {
    const stats = await file.stat()
    if (stats.isDirectory()) throw new UsageError(`${wanted.path} est un dossier, pas un fichier de prix.`)
    return await take(readChunks(file), stats.size)
  } finally {
    await file.close()
  }
}

/**
 * Finds a saved column mapping by name.
 *
 * @throws UsageError that lists the existing names
 */
async function findMapping(db: Database['db'], name: string): Promise<Mapping> {
  const found = await findMappingByName(db, 'prices', name)
  if (found) return found
  const names = (await listSavedMappings(db)).map((each) => `« ${each.name} »`)
  const listed = names.length > 0 ? `Il y a : ${names.join(', ')}.` : 'Il n’y en a encore aucune.'
  throw new UsageError(
    `Aucune correspondance ne s’appelle « ${name} ». ${listed} Elles se créent à la page Imports.`,
  )
}

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const config = readConfig()
  const embedded = config.databaseUrl
    ? null
    : await startEmbedded({ dataDir: config.dataDir, role: 'tool', log })
  try {
    const connection = embedded?.connection ?? config.databaseUrl ?? ''
    // One connection runs the import; the other can cancel it.
    const database = await openDatabase({ connection, max: 2, applicationName: 'ntalo import' })
    try {
      await assertWritable(database.pool)
      await migrate(database.pool, resolve(root, 'db/migrations'), log)
      await assertClock(database.pool, { at: new Date(), isAccepted: config.isClockAccepted })
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AppError && error.cause instanceof UnknownTitles)
    return `${error.message}\n${howToMap}`
  if (isOurs(error)) return error.message
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null
  const fault = path === null ? undefined : fileFaults[codeOf(error) ?? '']
  if (fault) return `Le fichier ${path} ${fault}.`
  if (isUnavailable(error)) {
    if (!isCommitting)
      return 'La base de données s’est arrêtée, avec le serveur peut-être : rien n’a été écrit. Relancez la commande.'
    return 'La base de données ne répond plus. Relancez la commande : rien ne sera écrit deux fois.'
  }
  if (isDiskFull(error)) return 'Le disque de la base de données est plein : rien n’a été écrit.'
  return `L’import a échoué, rien n’a été écrit : ${error.message}`
}

function isOurs(error: Error): boolean {
  const ours = [AppError, UsageError, FileChanged, Interrupted, DatabaseStartError]
  return ours.some((kind) => error instanceof kind)
}
