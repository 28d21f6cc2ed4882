import type { FileHandle } from 'node:fs/promises'

/** The file changed while it was read. */
export class FileChanged extends Error {
  override name = 'FileChanged'
}

const chunkBytes = 256 * 1024

/** What is piped into the program, until it ends or `signal` is aborted. */
export function readPiped(signal: AbortSignal): AsyncIterable<Uint8Array> {
  signal.addEventListener('abort', () => process.stdin.destroy(signal.reason), { once: true })
  return process.stdin
}

/**
 * The bytes of a file, always in the same buffer: a stream would leave one behind for each chunk.
 *
 * @throws FileChanged at the end when somebody wrote to it meanwhile: half of a copy would look whole
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
