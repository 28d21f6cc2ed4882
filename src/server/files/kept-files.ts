import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFile, makeFolder, nullIfAbsent, publish } from '#server/files/publish.ts'

/** Files that people gave us, or that we made for them, each under a key of ours. */
export type KeptFiles = {
  /**
   * Keeps what a stream brings. When it resolves, the file is whole and survives a power cut; when it rejects, nothing
   * is left of it, and the stream has been read to its end nevertheless: a connection with unread bytes serves no more.
   *
   * @returns how many bytes came
   */
  keep(key: string, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Opens a file that is written piece by piece: nobody sees it before `keep`, and nothing is left after `drop`. */
  write(key: string): Promise<Draft>
  has(key: string): Promise<boolean>
  /** @throws ENOENT when there is no such file, as soon as it is read */
  read(key: string): AsyncGenerator<Uint8Array>
  remove(key: string): Promise<void>
  /** The keys of files, unfinished ones too, that nobody has touched for `ageMs`. */
  listOlder(ageMs: number): Promise<string[]>
}

type Draft = {
  append(text: string): Promise<void>
  /** Puts pieces of what was written, which are all of it, in another order; reads it whole. */
  arrange(pieces: readonly { start: number; end: number }[]): Promise<void>
  keep(): Promise<void>
  drop(): Promise<void>
}

const chunkBytes = 256 * 1024
/** What people give us is for nobody else on the machine. */
const ours = 0o600
const unfinishedSuffix = '.unfinished'

/** The files in `folder`, shared by all the processes that use it. */
export function openKeptFiles(folder: string): KeptFiles {
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
    has: (key) => isFile(pathOf(key)),
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

/** Writes what comes until a write fails, and reads the rest all the same. Returns how many bytes came. */
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
