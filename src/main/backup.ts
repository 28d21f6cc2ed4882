// Commands `npm run backup -- DIR` and `npm run restore -- DIR`; s3://bucket/prefix may replace DIR. This module parses
// the arguments and reports the result.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { storedNames } from '#main/app.ts'
import { type BackupSource, backUp } from '#server/backup/back-up.ts'
import type { Manifest } from '#server/backup/manifest.ts'
import { fetchBackup, remotePlace, sendBackup } from '#server/backup/remote.ts'
import { restore } from '#server/backup/restore.ts'
import { readConfig } from '#server/config.ts'
import { openS3, type S3 } from '#server/files/s3.ts'

const log = {
  info: (message: string) => console.error(message),
  warn: (message: string) => console.error(message),
  error: (message: string) => console.error(message),
}

process.exitCode = await main(process.argv.slice(2))

async function main([command, from, path, given, ...rest]: string[]): Promise<number> {
  try {
    const isRestore = command === 'restore'
    if (!from || path === undefined || !given || rest.length > 0) {
      throw new Error(
        `Indiquez un dossier, et lui seul : npm run ${isRestore ? 'restore' : 'backup'} -- DOSSIER`,
      )
    }
    const { dataDir, databaseUrl, s3 } = readConfig()
    const bucket = s3 && { s3: openS3(s3), names: storedNames }
    const place = { dataDir, databaseUrl, bucket, path, log }
    const remote = remotePlace(given)
    if (!remote && given.startsWith('s3:'))
      throw new Error('Écrivez la destination ainsi : s3://seau/dossier')
    if (remote && !s3) throw new Error('s3:// demande S3_URL, S3_BUCKET, S3_KEY et S3_SECRET.')
    const manifest =
      remote && s3
        ? await byWayOf(openS3({ ...s3, bucket: remote.bucket }), remote.prefix, { isRestore, place })
        : await (isRestore ? restore(resolve(from, given), place) : backUp(place, resolve(from, given)))
    const where = remote ? given : resolve(from, given)
    console.log(`${isRestore ? 'Restauré depuis' : 'Sauvegardé dans'} ${where} :\n${contentOf(manifest)}`)
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

/** Backs up or restores through a temporary local folder, which needs as much space as the backup. */
async function byWayOf(
  s3: S3,
  prefix: string,
  { isRestore, place }: { isRestore: boolean; place: BackupSource },
): Promise<Manifest> {
  const folder = await mkdtemp(join(tmpdir(), 'ntalo-backup-'))
  try {
    if (isRestore) {
      await fetchBackup(s3, prefix, folder)
      return await restore(folder, place)
    }
    const manifest = await backUp(place, folder)
    await sendBackup(s3, prefix, folder, manifest)
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function contentOf({ madeAt, kind, database, files }: Manifest): string {
  const count = new Intl.NumberFormat('fr-CD')
  const rows = Object.values(database.rows)
  const sum = (values: number[]) => count.format(values.reduce((total, each) => total + each, 0))
  return [
    `  état du ${new Date(madeAt).toLocaleString('fr-FR', { timeZone: 'Africa/Kinshasa' })} (Kinshasa), schéma ${database.schema}`,
    `  ${count.format(rows.length)} tables, ${sum(rows)} lignes, journal jusqu’au maillon ${count.format(database.journal.position)}`,
    `  ${count.format(files.length)} fichiers, ${sum(files.map(({ bytes }) => bytes))} octets, empreintes vérifiables (${kind === 'base' ? 'base embarquée' : 'pg_dump'})`,
  ].join('\n')
}
