import type { FileHandle } from 'node:fs/promises'

/** The file changed while it was being read. */
export class FileChanged extends Error {
  override name = 'FileChanged'
}

const chunkBytes = 256 * 1024

/** Reads standard input until it ends or `signal` is aborted. */
export function readPiped(signal: AbortSignal): AsyncIterable<Uint8Array> {
  signal.addEventListener('abort', () => process.stdin.destroy(signal.reason), { once: true })
  return process.stdin
}

/**
 * Yields the bytes of a file, always in the same buffer: a stream would allocate one per chunk.
 *
 * @throws FileChanged at the end when the file was written to meanwhile, since a half-copied file would look complete
 */
export async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  const before = await file.stat()
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) break
    yield buffer.subarray(0, bytesRead)
  }
  const after = await file.stat()
  if (after.isFile() && (after.size !== before.size || after.mtimeMs !== before.mtimeMs)) {
    throw new FileChanged('Le fichier a changé pendant sa lecture\u00a0: rien n’a été écrit. Recommencez.')
  }
}
