import { invalidField } from '#server/errors.ts'
import { foreignFormat } from '#shared/csv/header.ts'

/** A file whose format was detected from its first bytes; `bytes` includes them. */
export type OpenedFile = {
  readonly format: ReturnType<typeof foreignFormat>
  readonly bytes: AsyncIterable<Uint8Array>
  /** Releases the source, even when it was not read to the end. */
  close(): Promise<unknown>
}

// Enough to recognise formats other than CSV.
const startBytes = 8

/** Detects the format of a file before it is read. */
export async function openFile(source: AsyncIterable<Uint8Array>): Promise<OpenedFile> {
  const chunks = source[Symbol.asyncIterator]()
  let start = new Uint8Array()
  while (start.length < startBytes) {
    const { done, value } = await chunks.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  return {
    format: foreignFormat(start),
    bytes: prepend(start, chunks),
    close: async () => chunks.return?.(),
  }
}

async function* prepend(start: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

const mostWorkbookBytes = 20 * 1024 * 1024

/**
 * Reads a whole workbook into memory, as its format requires.
 *
 * @throws AppError 400 with a French message beyond 20 MB
 */
export async function readWhole({ bytes }: OpenedFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > mostWorkbookBytes) {
      throw invalidField(
        'file',
        'Ce classeur est trop grand. Enregistrez-le en «\u202fCSV UTF-8\u202f», puis recommencez.',
      )
    }
    // Copied, because the source may reuse its buffer.
    parts.push(new Uint8Array(chunk))
  }
  return Buffer.concat(parts)
}
