import type { Rejection } from '#features/imports/report.contract.ts'
import type { KeptFiles } from '#server/files/kept-files.ts'
import { guardText } from '#shared/csv/cells.ts'

/** The key of the rejected lines of a file. */
export const rejectedKey = (key: string): string => `${key}.rejected`

// Nobody mends more of them by hand; a file of nothing else would otherwise become thirty times as large.
const most = { lines: 100_000, characters: 20_000_000 }

/**
 * Writes down the rejected lines while a file is read, the first hundred thousand: they are put on the disk before the
 * next piece of the file is given. What is found once the whole has been read is put among them at the end.
 */
export async function keepRejected(files: KeptFiles, key: string, limits = most) {
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
    /** How many of them the file has. */
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

// Whatever the line holds, it is a text: no spreadsheet is to run it.
function cell(text: string): string {
  return `"${guardText(text).replaceAll('"', '""')}"`
}
