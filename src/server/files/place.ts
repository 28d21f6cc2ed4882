import { openAsBlob } from 'node:fs'
import { basename, join } from 'node:path'
import { type FileStore, openFileStore } from '#server/files/file-store.ts'
import { openS3, type S3, type S3Settings } from '#server/files/s3.ts'
import { openStorage, type Storage } from '#server/files/storage.ts'

/**
 * Where files are stored: in `dataDir`, or on an S3 server with drafts in `dataDir`. Can be passed to a worker thread.
 */
export type FilePlace = { dataDir: string; s3: S3Settings | null }

/** Opens the pictures of a place: the public ones, or those under another name. */
export function openPictures(place: FilePlace, name = 'uploads'): Storage {
  return openContents(place, name, '.webp')
}

/** Opens the content-addressed storage of a place under a name. */
export function openContents({ dataDir, s3 }: FilePlace, name: string, extension: string): Storage {
  return s3 ? s3Contents(openS3(s3), name, extension) : openStorage(dataDir, name, extension)
}

/** Opens the files of a place under a name. */
export function openFiles({ dataDir, s3 }: FilePlace, name: string): FileStore {
  const folder = join(dataDir, name)
  return s3 ? s3Files(openS3(s3), name, folder) : openFileStore(folder)
}

function s3Contents(s3: S3, name: string, extension: string): Storage {
  const keyOf = (hash: string) => `${name}/${hash.slice(0, 2)}/${hash}${extension}`
  return {
    async put({ hash, bytes }) {
      await s3.put(keyOf(hash), bytes)
    },
    has: (hash) => s3.has(keyOf(hash)),
    async read(hash) {
      const response = await s3.get(keyOf(hash))
      return response && Buffer.from(await response.arrayBuffer())
    },
    remove: (hash) => s3.remove(keyOf(hash)),
    async listOlder(ageMs) {
      const hashes: string[] = []
      for await (const { key, at } of s3.list(`${name}/`)) {
        if (key.endsWith(extension) && at < Date.now() - ageMs) hashes.push(basename(key, extension))
      }
      return hashes
    },
  }
}

/**
 * Files are written to a local draft first, so that an object is stored whole and an interrupted stream leaves none.
 */
function s3Files(s3: S3, name: string, folder: string): FileStore {
  const drafts = openFileStore(folder)
  const keyOf = (key: string) => `${name}/${key}`
  async function send(key: string): Promise<void> {
    try {
      await s3.put(keyOf(key), await openAsBlob(join(folder, key)))
    } finally {
      await drafts.remove(key)
    }
  }
  return {
    async keep(key, content) {
      const size = await drafts.keep(key, content)
      await send(key)
      return size
    },
    async write(key) {
      const draft = await drafts.write(key)
      return {
        ...draft,
        async keep() {
          await draft.keep()
          await send(key)
        },
      }
    },
    has: (key) => s3.has(keyOf(key)),
    async *read(key) {
      const response = await s3.get(keyOf(key))
      if (!response) throw Object.assign(new Error(`no object ${keyOf(key)}`), { code: 'ENOENT' })
      for await (const chunk of response.body ?? []) yield chunk
    },
    remove: (key) => s3.remove(keyOf(key)),
    async listOlder(ageMs) {
      const old = await drafts.listOlder(ageMs)
      for (const key of old) await drafts.remove(key)
      const keys: string[] = []
      for await (const { key, at } of s3.list(`${name}/`)) {
        if (at < Date.now() - ageMs) keys.push(key.slice(name.length + 1))
      }
      return keys
    },
  }
}
