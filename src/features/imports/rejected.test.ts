import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepRejected, rejectedKey } from '#features/imports/rejected.jobs.ts'
import { openFileStore } from '#server/files/file-store.ts'

test('of a file with only rejected lines, only the first are stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ntalo-rejected-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = openFileStore(folder)
  for (const [limits, wanted] of [
    [{ lines: 3, characters: 10_000 }, 3],
    [{ lines: 1_000, characters: 100 }, 4],
  ] as const) {
    const rejected = await keepRejected(files, 'a', limits)
    for (let line = 2; line < 1_002; line++) rejected.onRejected({ line, reason: 'Trop court.', text: 'x' })
    await rejected.keep()
    expect(rejected.count()).toBe(wanted)
    let text = ''
    for await (const piece of files.read(rejectedKey('a'))) text += Buffer.from(piece)
    expect(text.trimEnd().split('\r\n')).toHaveLength(wanted + 1)
    expect(statSync(join(folder, rejectedKey('a'))).mode & 0o777).toBe(0o600)
  }
})

test('lines refused after later ones are listed in the order of the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ntalo-rejected-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = openFileStore(folder)
  const rejected = await keepRejected(files, 'a')
  const told = [3, 7, 2, 5].map((line) => ({ line, reason: 'Refusée.', text: `élève ${line}\r\n9;` }))
  for (const each of told) rejected.onRejected(each)
  await rejected.keep()
  const text = readFileSync(join(folder, rejectedKey('a')), 'utf8')
  expect(text.startsWith('\ufeffLigne;Motif;Contenu\r\n2;')).toBe(true)
  expect([...text.matchAll(/^(\d+);"Refusée/gm)].map(([, line]) => line)).toEqual(['2', '3', '5', '7'])
  expect(text.length).toBe(
    22 + told.reduce((total, each) => total + each.reason.length + each.text.length + 9, 0),
  )
})
