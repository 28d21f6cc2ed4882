import type { Rejection } from '#features/imports/report.contract.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { guardText } from '#shared/csv/cells.ts'

/** Returns the key of the file of rejected rows of a file. */
export const rejectedKey = (key: string): string => `${key}.rejected`

// Limits of the stored rejected rows: nobody corrects more by hand, and otherwise a file of only rejected rows would
// grow thirtyfold.
const most = { lines: 100_000, characters: 20_000_000 }

/**
 * Writes the rejected rows to disk while a file is read, the first hundred thousand: they are flushed before the next
 * chunk of the file. Rows rejected after the whole file is read are sorted in at the end.
 */
export async function keepRejected(files: FileStore, key: string, limits = most) {
  const draft = await files.write(rejectedKey(key))
  const titles = '\ufeffLigne;Motif;Contenu\r\n'
  const lines: { line: number; start: number; end: number }[] = []
  let bytes = Buffer.byteLength(titles)
  let characters = 0
  let isFull = false
  let waiting = [titles]

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const text = waiting.join('')
    waiting = []
    await draft.append(text)
  }

  return {
    onRejected({ line, reason, text }: Rejection): void {
      if (isFull) return
      const record = `${line};${cell(reason)};${cell(text)}\r\n`
      isFull = lines.length >= limits.lines || characters + record.length > limits.characters
      if (isFull) return
      const start = bytes
      bytes += Buffer.byteLength(record)
      lines.push({ line, start, end: bytes })
      characters += record.length
      waiting.push(record)
    },
    async *source(): AsyncGenerator<Uint8Array> {
      for await (const chunk of files.read(key)) {
        yield chunk
        await flush()
      }
    },
    /** Returns the number of rejected rows stored. */
    count: () => lines.length,
    async keep(): Promise<void> {
      await flush()
      if (lines.some(({ line }, n) => line < (lines[n - 1]?.line ?? 0))) {
        const inOrder = lines.toSorted((a, b) => a.line - b.line)
        await draft.arrange([{ start: 0, end: Buffer.byteLength(titles) }, ...inOrder])
      }
      await draft.keep()
    },
    drop: draft.drop,
  }
}

// Guards the text so that no spreadsheet evaluates it as a formula.
function cell(text: string): string {
  return `"${guardText(text).replaceAll('"', '""')}"`
}
