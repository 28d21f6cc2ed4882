import { copyFile, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Bucket, copyBucket } from '#server/backup/bucket.ts'
import { type Manifest, putInPlace, writeManifest } from '#server/backup/manifest.ts'
import { copyCluster } from '#server/db/backup/base-copy.ts'
import { dumpDatabase, factsOf } from '#server/db/backup/dump-file.ts'
import type { DatabaseFacts } from '#server/db/backup/facts.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { nullIfAbsent } from '#server/files/publish.ts'

export const databaseName = { base: 'postgres', dump: 'database.dump' } as const
export const filesName = 'files'

/** Entries of DATA_DIR that are not copied as files: the database, and unfinished files. */
const databaseFolder = /^postgres(\.|$)/
const unfinishedFile = /\.unfinished$/

export type BackupSource = {
  dataDir: string
  /** DATABASE_URL; null for the embedded database under `dataDir`. */
  databaseUrl: string | null
  /** Bucket of the platform's files; null when they are under `dataDir`. */
  bucket: Bucket | null
  /** Folders that are searched first for client tools, in the format of PATH. */
  path: string
  log: Record<'info' | 'warn' | 'error', (message: string) => void>
}

/**
 * Copies the database and the files into an absent or empty folder, while the platform stays in use. A copy of the
 * embedded database is opened once, so that an unusable backup fails immediately. A failed backup leaves no files.
 *
 * @throws Error in French
 */
export async function backUp(source: BackupSource, folder: string): Promise<Manifest> {
  if (!/^\.\.(\/|$)/.test(relative(source.dataDir, folder))) {
    throw new Error(
      `Le dossier ${folder} est dans DATA_DIR (${source.dataDir}), que chaque sauvegarde copie : choisissez-en un autre. Rien n’a été écrit.`,
    )
  }
  if (!(await isFree(folder))) throw new Error(`Le dossier ${folder} n’est pas vide : rien n’a été écrit.`)
  const draft = `${folder.replace(/\/+$/, '')}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const madeAt = new Date().toISOString()
    // Copied before the database, which may hold rows whose files are removed next, and again after it, since a file is
    // stored before the row that names it.
    await copyFiles(source, join(draft, filesName))
    const kind = source.databaseUrl === null ? ('base' as const) : ('dump' as const)
    const database =
      source.databaseUrl === null
        ? await copyEmbedded(source, draft)
        : await dumpDatabase(source.databaseUrl, source.path, join(draft, databaseName.dump))
    await copyFiles(source, join(draft, filesName))
    const manifest = await writeManifest(draft, { madeAt, kind, database })
    await putInPlace(draft, folder)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Whether a folder is absent or empty. */
export async function isFree(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(nullIfAbsent)
  return names === null || names.length === 0
}

async function copyEmbedded({ dataDir, log }: BackupSource, draft: string): Promise<DatabaseFacts> {
  const source = await startEmbedded({ dataDir, role: 'tool', log })
  try {
    await copyCluster(source.connection, join(dataDir, databaseName.base), join(draft, databaseName.base))
  } finally {
    await source.stop()
  }
  const copy = await startEmbedded({ dataDir: draft, role: 'tool', log })
  let facts: DatabaseFacts
  try {
    facts = await factsOf(copy.connection)
  } finally {
    await copy.stop()
  }
  await rm(join(draft, 'postgres.log'), { force: true })
  return facts
}

/** Copies the files that are not in `to` yet, with the layout of DATA_DIR. Files removed during the copy are skipped. */
async function copyFiles({ dataDir, bucket }: BackupSource, to: string): Promise<void> {
  await copyFolder(dataDir, to, databaseFolder)
  if (bucket) await copyBucket(bucket, to)
}

async function copyFolder(from: string, to: string, excluded = unfinishedFile): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const entries = (await readdir(from, { withFileTypes: true }).catch(nullIfAbsent)) ?? []
  for (const entry of entries.filter(({ name }) => !excluded.test(name) && !unfinishedFile.test(name))) {
    const [path, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(path, copy)
    else if (entry.isFile()) await copyOne(path, copy)
  }
}

async function copyOne(from: string, to: string): Promise<void> {
  const [found, copied] = [await stat(from).catch(nullIfAbsent), await stat(to).catch(nullIfAbsent)]
  if (!found || (copied?.size === found.size && copied.mtime.getTime() === found.mtime.getTime())) return
  await copyFile(from, to)
    .then(() => utimes(to, found.atime, found.mtime))
    .catch(nullIfAbsent)
}
