import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder, nullIfAbsent, pathExists, publish } from '#server/files/publish.ts'

/** A content, stored under the SHA-256 of its bytes in hexadecimal. */
export type Content = { hash: string; bytes: Uint8Array }

/** Content-addressed storage, one file per content: `uploads/ab/ab….webp`. */
export type Storage = {
  /** When it resolves, the file is complete and survives a power cut. An existing content is not written again. */
  put(content: Content): Promise<void>
  has(hash: string): Promise<boolean>
  /** @returns null when there is no such content */
  read(hash: string): Promise<Buffer | null>
  remove(hash: string): Promise<void>
  /** Lists the hashes of contents not stored, or stored again, for `ageMs`. */
  listOlder(ageMs: number): Promise<string[]>
}

/** Opens the contents in a folder of `dataDir`, which several processes may share. */
export function openStorage(dataDir: string, folder = 'uploads', extension = '.webp'): Storage {
  const root = join(dataDir, folder)
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), `${hash}${extension}`)
  return {
    async put({ hash, bytes }) {
      const path = pathOf(hash)
      // An existing file gets a new modification time, so that `listOlder` omits it: a row is about to reference it.
      const isThere = await utimes(path, new Date(), new Date()).then(() => true, nullIfAbsent)
      if (isThere) return
      await makeFolder(dirname(path))
      const draft = join(dirname(path), `${randomUUID()}.unfinished`)
      try {
        await writeFile(draft, bytes)
        await publish(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    has: (hash) => pathExists(pathOf(hash)),
    read: (hash) => readFile(pathOf(hash)).catch(nullIfAbsent),
    remove: (hash) => rm(pathOf(hash), { force: true }),
    async listOlder(ageMs) {
      const names = (await readdir(root, { recursive: true }).catch(nullIfAbsent)) ?? []
      const hashes: string[] = []
      for (const name of names.filter((each) => each.endsWith(extension))) {
        const stats = await stat(join(root, name)).catch(nullIfAbsent)
        if (stats && stats.mtimeMs < Date.now() - ageMs) hashes.push(basename(name, extension))
      }
      return hashes
    },
  }
}
