import { appendFileSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileChanged, readChunks } from '#main/import-file.ts'

async function read(path: string, meanwhile: () => void): Promise<number> {
  const file = await open(path)
  try {
    let bytes = 0
    for await (const chunk of readChunks(file)) {
      if (bytes === 0) meanwhile()
      bytes += chunk.length
    }
    return bytes
  } finally {
    await file.close()
  }
}

test('a file is read to its end, unless it is written or truncated meanwhile', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'ntalo-')), 'prix.csv')
  writeFileSync(path, 'x'.repeat(600_000))
  expect(await read(path, () => {})).toBe(600_000)
  await expect(read(path, () => appendFileSync(path, 'y'))).rejects.toThrow(FileChanged)
  await expect(read(path, () => truncateSync(path, 300_000))).rejects.toThrow(/pendant sa lecture/)
})
