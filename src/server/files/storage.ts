import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder, nullIfAbsent, publish } from '#server/files/publish.ts'
import type { WebpImage } from '#server/images.ts'

/** Uploaded pictures, each in a file named by its content: `uploads/ab/ab….webp`. */
export type Storage = {
  /** When it resolves, the file is whole and survives a power cut. A content that is there already is left alone. */
  put(image: WebpImage): Promise<void>
  /** @returns null when there is no such picture */
  read(hash: string): Promise<Buffer | null>
  remove(hash: string): Promise<void>
  /** The pictures that nobody has stored for `ageMs`. */
  listOlder(ageMs: number): Promise<string[]>
}

/** The pictures in a folder of `dataDir`, shared by all the processes that use it. */
export function openStorage(dataDir: string, folder = 'uploads'): Storage {
  const root = join(dataDir, folder)
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), `${hash}.webp`)
  return {
    async put({ hash, bytes }) {
      const path = pathOf(hash)
      // One that is there is young again: it is about to be shown.
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
    read: (hash) => readFile(pathOf(hash)).catch(nullIfAbsent),
    remove: (hash) => rm(pathOf(hash), { force: true }),
    async listOlder(ageMs) {
      const names = (await readdir(root, { recursive: true }).catch(nullIfAbsent)) ?? []
      const hashes: string[] = []
      for (const name of names.filter((each) => each.endsWith('.webp'))) {
        const stats = await stat(join(root, name)).catch(nullIfAbsent)
        if (stats && stats.mtimeMs < Date.now() - ageMs) hashes.push(basename(name, '.webp'))
      }
      return hashes
    },
  }
}
