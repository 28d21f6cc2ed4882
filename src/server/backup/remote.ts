import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Manifest, manifestName } from '#server/backup/manifest.ts'
import type { S3 } from '#server/files/s3.ts'

/** Location of a backup on an S3 server: `s3://bucket/prefix`. */
export type RemotePlace = { bucket: string; prefix: string }

/** Parses `s3://bucket/prefix`. @returns null when the text is the path of a folder */
export function remotePlace(text: string): RemotePlace | null {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.+?)\/*$/.exec(text) ?? []
  return bucket && prefix ? { bucket, prefix } : null
}

/**
 * Uploads a finished backup, with its manifest last: an upload without a manifest is not a complete backup.
 *
 * @throws Error in French when the prefix already contains objects
 */
export async function sendBackup(s3: S3, prefix: string, folder: string, { files }: Manifest): Promise<void> {
  for await (const { key } of s3.list(`${prefix}/`)) {
    throw new Error(`Rien n’a été envoyé : ${key} s’y trouve déjà.`)
  }
  for (const path of [...files.map((file) => file.path), manifestName]) {
    await s3.put(`${prefix}/${path}`, await openAsBlob(join(folder, path)))
  }
}

/** Downloads all objects of a prefix into a folder; the restore verifies them. */
export async function fetchBackup(s3: S3, prefix: string, folder: string): Promise<void> {
  for await (const { key } of s3.list(`${prefix}/`)) {
    const path = join(folder, key.slice(prefix.length + 1))
    if (!path.startsWith(`${folder}/`)) throw new Error(`La sauvegarde contient un nom refusé : ${key}.`)
    const object = await s3.get(key)
    if (!object?.body) throw new Error(`La sauvegarde est incomplète : ${key} ne peut pas être lu.`)
    await mkdir(dirname(path), { recursive: true })
    await pipeline(Readable.from(object.body), createWriteStream(path, { mode: 0o600 }))
  }
}
