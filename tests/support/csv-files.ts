import { lineReader } from '#shared/csv/lines.ts'
import { recordReader } from '#shared/csv/records.ts'

/** Returns the rows of a CSV file that we export for people, its titles first. */
export function readRecords(bytes: Uint8Array, separator: ',' | ';' = ';'): (readonly string[])[] {
  const reader = lineReader()
  const lines = [...reader.read(bytes), ...reader.end()]
  const first = lines[0]
  if (!first || 'fault' in first) throw new Error('a file without titles')
  const records = recordReader(separator, first.text.split(separator).length)
  return [...lines.flatMap((line) => [...records.take(line)]), ...records.end()].map((record) => {
    if ('fault' in record) throw new Error(`line ${record.line}: ${record.fault}`)
    return record.cells
  })
}
