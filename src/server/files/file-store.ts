import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, nullIfAbsent, pathExists, publish } from '#server/files/publish.ts'

/** Uploaded and generated files, each under a key chosen by the server. */
export type FileStore = {
  /**
   * Stores a stream. When it resolves, the file is complete and survives a power cut. When it rejects, nothing is left
   * of the file; after a failed write the stream is still read to its end, so that its connection can be reused.
   *
   * @returns the number of bytes
   */
  keep(key: string, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Opens a draft that is written in pieces: the file is visible after `keep`, and nothing is left after `drop`. */
  write(key: string): Promise<Draft>
  has(key: string): Promise<boolean>
  /** @throws ENOENT at the first read when there is no such file */
  read(key: string): AsyncGenerator<Uint8Array>
  remove(key: string): Promise<void>
  /** Lists the keys of files, drafts included, not modified for `ageMs`. */
  listOlder(ageMs: number): Promise<string[]>
}

type Draft = {
  append(text: string): Promise<void>
  /** Reorders the written pieces, which together must cover the whole file; reads it into memory. */
  arrange(pieces: readonly { start: number; end: number }[]): Promise<void>
  keep(): Promise<void>
  drop(): Promise<void>
}

const chunkBytes = 256 * 1024
/** File mode: other users of the machine must not read users' files. */
const ours = 0o600
const unfinishedSuffix = '.unfinished'

/** Opens the files in `folder`, which several processes may share. */
export function openFileStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, key)
  const draftOf = (key: string) => join(folder, `${key}${unfinishedSuffix}`)

  return {
    async keep(key, content) {
      await makeFolder(folder)
      try {
        const size = await writeAll(draftOf(key), content)
        await publish(draftOf(key), pathOf(key))
        return size
      } catch (error) {
        await rm(draftOf(key), { force: true })
        throw error
      }
    },
    async write(key) {
      await makeFolder(folder)
      const file = await open(draftOf(key), 'w', ours)
      return {
        append: (text) => file.writeFile(text),
        async arrange(pieces) {
          const content = await readFile(draftOf(key))
          const arranged = Buffer.concat(pieces.map(({ start, end }) => content.subarray(start, end)))
          await file.write(arranged, 0, arranged.length, 0)
        },
        async keep() {
          await file.close()
          await publish(draftOf(key), pathOf(key))
        },
        async drop() {
          await file.close()
          await rm(draftOf(key), { force: true })
        },
      }
    },
    has: (key) => pathExists(pathOf(key)),
    async *read(key) {
      const file = await open(pathOf(key))
      try {
        for (;;) {
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes))
          if (bytesRead === 0) return
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async listOlder(ageMs) {
      const names = await readdir(folder).catch(nothingIfAbsent)
      const old: string[] = []
      for (const name of names) {
        const stats = await stat(pathOf(name)).catch(nullIfAbsent)
        if (stats && stats.mtimeMs < Date.now() - ageMs) old.push(name)
      }
      return old
    },
  }
}

/** Writes a stream to a file; after a failed write, still reads the rest. Returns the number of bytes. */
async function writeAll(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'w', ours)
  let size = 0
  let fault: unknown = null
  try {
    for await (const chunk of content) {
      size += chunk.length
      fault ??= await file.writeFile(chunk).then(nothing, (error: unknown) => error)
    }
  } finally {
    await file.close()
  }
  if (fault) throw fault
  return size
}

function nothing(): null {
  return null
}

function nothingIfAbsent(error: NodeJS.ErrnoException): string[] {
  return nullIfAbsent(error) ?? []
}
