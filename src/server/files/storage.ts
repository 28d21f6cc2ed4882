import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { WebpImage } from '#server/images.ts'

/** Uploaded pictures, each in a file named by its content: `uploads/ab/ab….webp`. */
export type Storage = {
  /** When it resolves, the file is whole and survives a power cut. A content that is there already is left alone. */
  put(image: WebpImage): Promise<void>
  /** @returns null when there is no such picture */
  read(hash: string): Promise<Buffer | null>
  remove(hash: string): Promise<void>
}

/** The pictures under `dataDir`, shared by all the processes that use it. */
export function openStorage(dataDir: string): Storage {
  const root = join(dataDir, 'uploads')
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), `${hash}.webp`)
  return {
    async put({ hash, bytes }) {
      const path = pathOf(hash)
      if (await exists(path)) return
      const folder = dirname(path)
      const created = await mkdir(folder, { recursive: true })
      const unfinished = join(folder, `${randomUUID()}.unfinished`)
      try {
        await writeDurably(unfinished, bytes)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await syncFolder(folder)
      if (created) await Promise.all([syncFolder(root), syncFolder(dataDir)])
    },
    read: (hash) => readFile(pathOf(hash)).catch(nullIfAbsent),
    remove: (hash) => rm(pathOf(hash), { force: true }),
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the names of the files in a folder durable, as their own sync does not. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(nullIfAbsent)) !== null
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
