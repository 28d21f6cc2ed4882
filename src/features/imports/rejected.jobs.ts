import type { Rejection } from '#features/imports/report.contract.ts'
import type { KeptFiles } from '#server/files/kept-files.ts'
import { guardText } from '#shared/csv/cells.ts'

/** The key of the rejected lines of a file. */
export const rejectedKey = (key: string): string => `${key}.rejected`

/**
 * Writes down every rejected line while a file is read, whatever their number: they are put on the disk before the next
 * piece of the file is given.
 */
export async function keepRejected(files: KeptFiles, key: string) {
  const draft = await files.write(rejectedKey(key))
  let waiting = ['\ufeffLigne;Motif;Contenu\r\n']

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const text = waiting.join('')
    waiting = []
    await draft.append(text)
  }

  return {
    onRejected({ line, reason, text }: Rejection): void {
      waiting.push(`${line};${cell(reason)};${cell(text)}\r\n`)
    },
    async *source(): AsyncGenerator<Uint8Array> {
      for await (const chunk of files.read(key)) {
        yield chunk
        await flush()
      }
    },
    async keep(): Promise<void> {
      await flush()
      await draft.keep()
    },
    drop: draft.drop,
  }
}

// Whatever the line holds, it is a text: no spreadsheet is to run it.
function cell(text: string): string {
  return `"${guardText(text).replaceAll('"', '""')}"`
}
