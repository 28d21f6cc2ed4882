import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '#server/files/storage.ts'

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ntalo-storage-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function imageOf(text: string) {
  const bytes = new Uint8Array(Buffer.from(text))
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

const inodeOf = (directory: string, hash: string) =>
  statSync(join(directory, 'uploads', hash.slice(0, 2), `${hash}.webp`)).ino

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('a stored file can be read by any process on the same directory', async () => {
  const directory = emptyDirectory()
  const image = imageOf('a')
  await openStorage(directory).put(image)
  expect(await openStorage(directory).read(image.hash)).toEqual(Buffer.from('a'))
  expect(filesIn(directory)).toEqual([`${image.hash}.webp`])
})

test('a file that was never stored is null, and removing it is no error', async () => {
  const storage = openStorage(emptyDirectory())
  const { hash } = imageOf('a')
  expect(await storage.read(hash)).toBe(null)
  await storage.remove(hash)
})

test('the same content stored twenty times at once is one file', async () => {
  const directory = emptyDirectory()
  const storage = openStorage(directory)
  const image = imageOf('a')
  await Promise.all(Array.from({ length: 20 }, () => storage.put(image)))
  expect(filesIn(directory)).toEqual([`${image.hash}.webp`])
  const before = inodeOf(directory, image.hash)
  await storage.put(image)
  expect(inodeOf(directory, image.hash)).toBe(before)
  await storage.remove(image.hash)
  expect(await storage.read(image.hash)).toBe(null)
})

test('a write that fails leaves nothing behind, and reports it', async () => {
  const directory = emptyDirectory()
  const image = imageOf('a')
  // A file in place of the folder: not even root can write below it.
  writeFileSync(join(directory, 'uploads'), '')
  await expect(openStorage(directory).put(image)).rejects.toThrow()
  expect(filesIn(directory)).toEqual(['uploads'])

  // Simulates a full disk: the file can be opened, but not written.
  const unwritable = { hash: image.hash, bytes: 5 as never }
  const another = emptyDirectory()
  await expect(openStorage(another).put(unwritable)).rejects.toThrow()
  expect(filesIn(another)).toEqual([])
})
