import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupSource, databaseName, filesName, isFree } from '#server/backup/back-up.ts'
import { assertEmptyBucket, fillBucket } from '#server/backup/bucket.ts'
import { type Manifest, putInPlace, verifyBackup } from '#server/backup/manifest.ts'
import { findClientTools } from '#server/db/backup/client-tools.ts'
import { factsOf, isEmptyDatabase, restoreDatabase } from '#server/db/backup/dump-file.ts'
import { differences } from '#server/db/backup/facts.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'

/**
 * Restores a backup into an empty platform, and compares the result with the manifest of the backup.
 *
 * @throws Error in French; a target that is not empty, or an altered backup, is refused before anything is written
 */
export async function restore(folder: string, target: BackupSource): Promise<Manifest> {
  const manifest = await verifyBackup(folder)
  if (!(await isFree(target.dataDir))) {
    throw new Error(`DATA_DIR (${target.dataDir}) n’est pas vide : rien n’a été restauré.`)
  }
  if (target.bucket) await assertEmptyBucket(target.bucket)
  if (manifest.kind === 'base') await restoreBase(folder, manifest, target)
  else await restoreDump(folder, manifest, target)
  return manifest
}

async function restoreBase(folder: string, manifest: Manifest, target: BackupSource): Promise<void> {
  const { dataDir, databaseUrl, log } = target
  if (databaseUrl !== null) {
    throw new Error(
      'Cette sauvegarde est celle d’une base embarquée : retirez DATABASE_URL pour la restaurer, rien n’a été écrit.',
    )
  }
  await intoFolder(dataDir, async (draft) => {
    for (const path of manifest.folders.filter((each) => isUnder(each, databaseName.base))) {
      await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
    }
    await cp(join(folder, databaseName.base), join(draft, databaseName.base), { recursive: true })
    await copyBack(folder, draft, target.bucket)
    const embedded = await startEmbedded({ dataDir: draft, role: 'tool', log })
    try {
      await assertSame(embedded.connection, manifest)
    } finally {
      await embedded.stop()
    }
    await rm(join(draft, 'postgres.log'), { force: true })
  })
}

async function restoreDump(folder: string, manifest: Manifest, target: BackupSource): Promise<void> {
  const { dataDir, databaseUrl, path, log } = target
  const tools = await findClientTools(manifest.database.serverVersion, path)
  const embedded = databaseUrl === null ? await startEmbedded({ dataDir, role: 'tool', log }) : null
  const connection = embedded?.connection ?? databaseUrl ?? ''
  try {
    if (!(await isEmptyDatabase(connection)))
      throw new Error('La base de données n’est pas vide : rien n’a été restauré.')
    await restoreDatabase(tools, connection, join(folder, databaseName.dump))
    await assertSame(connection, manifest)
  } finally {
    await embedded?.stop()
  }
  await mkdir(dataDir, { recursive: true })
  await copyBack(folder, dataDir, target.bucket)
}

/** Fills a temporary folder and renames it at the end; a failure leaves no files. */
async function intoFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder.replace(/\/+$/, '')}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  try {
    await fill(draft)
    await putInPlace(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Restores the files into the bucket of the target if it has one, otherwise into its folder. */
async function copyBack(folder: string, dataDir: string, bucket: BackupSource['bucket']): Promise<void> {
  const from = join(folder, filesName)
  for (const name of await readdir(from)) {
    if (bucket?.names.includes(name)) await fillBucket(bucket, from, name)
    else await cp(join(from, name), join(dataDir, name), { recursive: true, preserveTimestamps: true })
  }
}

async function assertSame(connection: Parameters<typeof factsOf>[0], { database }: Manifest): Promise<void> {
  const faults = differences(await factsOf(connection), database)
  if (faults.length === 0) return
  throw new Error(
    `La base restaurée n’est pas celle qui a été sauvegardée : ${faults.slice(0, 5).join(' ; ')}.`,
  )
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
