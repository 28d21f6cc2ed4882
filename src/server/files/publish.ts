import { mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Renames a draft to its final path. When it resolves, the file is complete there and survives a power cut. */
export async function publish(draft: string, path: string): Promise<void> {
  await sync(draft)
  await rename(draft, path)
  await sync(dirname(path))
}

/** Creates a folder and its parents, and syncs them to disk. */
export async function makeFolder(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true })
  if (!created) return
  for (let each = path; each.length >= created.length; each = dirname(each)) await sync(dirname(each))
}

/** Returns whether anything exists at a path. @throws Error of `stat`, except ENOENT */
export async function pathExists(path: string): Promise<boolean> {
  return (await stat(path).catch(nullIfAbsent)) !== null
}

/** Handles a failed file operation: null when the file does not exist. @throws any other error */
export function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Syncs the content of a file, or the entries of a folder, to disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
