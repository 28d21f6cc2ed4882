import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFiles, openPictures } from '#server/files/place.ts'
import { narrowLimits, widenLimits } from '../../../tests/support/limits.ts'
import { startS3 } from '../../../tests/support/s3-server.ts'

const s3 = await startS3()

function placeOn(settings = s3.settings) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-place-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  s3.objects.clear()
  return { dataDir, s3: settings }
}

const picture = (text: string) => {
  const bytes = new Uint8Array(Buffer.from(text))
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

async function* streamOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function textOf(source: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a picture on S3 is stored, read, listed once it is old, and removed', async () => {
  const pictures = openPictures(placeOn())
  const drawn = [picture('one'), picture('two'), picture('three')]
  for (const each of drawn) await pictures.put(each)
  expect((await pictures.read(drawn[0]!.hash))?.toString()).toBe('one')
  expect(await pictures.read(picture('four').hash)).toBeNull()
  expect(await pictures.listOlder(60_000)).toEqual([])
  expect((await pictures.listOlder(-1_000)).sort()).toEqual(drawn.map(({ hash }) => hash).sort())
  await pictures.remove(drawn[0]!.hash)
  await pictures.remove(drawn[0]!.hash)
  expect(await pictures.read(drawn[0]!.hash)).toBeNull()
})

test('a file on S3 is complete or absent, and leaves no draft behind', async () => {
  const place = placeOn()
  const files = openFiles(place, 'imports')
  expect(await files.keep('prix & co.csv', streamOf('Jour;', 'Prix'))).toBe(9)
  expect(await textOf(files.read('prix & co.csv'))).toBe('Jour;Prix')
  const cut = (async function* () {
    yield Buffer.from('Jour')
    throw new Error('cut')
  })()
  await expect(files.keep('cut.csv', cut)).rejects.toThrow('cut')
  const draft = await files.write('arranged.csv')
  await draft.append('ba')
  await draft.arrange([
    { start: 1, end: 2 },
    { start: 0, end: 1 },
  ])
  await draft.keep()
  expect(await textOf(files.read('arranged.csv'))).toBe('ab')
  expect([await files.has('arranged.csv'), await files.has('cut.csv')]).toEqual([true, false])
  await expect(textOf(files.read('cut.csv'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect((await files.listOlder(-1_000)).sort()).toEqual(['arranged.csv', 'prix & co.csv'])
  await files.remove('arranged.csv')
  expect([...s3.objects.keys()]).toEqual(['imports/prix & co.csv'])
  expect(readdirSync(join(place.dataDir, 'imports'))).toEqual([])
})

test('a wrong secret, and a store that does not answer, answer 503 with a sentence, and soon', async () => {
  const wrong = openPictures(placeOn({ ...s3.settings, secret: 'another' }))
  const refusal = { status: 503, message: expect.stringContaining('Les fichiers ne peuvent pas') }
  await expect(wrong.put(picture('one'))).rejects.toMatchObject(refusal)
  expect(s3.objects.size).toBe(0)
  const silent = openPictures(placeOn())
  narrowLimits()
  s3.silence(true)
  onTestFinished(() => {
    s3.silence(false)
    widenLimits()
  })
  await expect(silent.read(picture('one').hash)).rejects.toMatchObject(refusal)
})

test('a file may take as long as its size needs: no limit counts from the start of a transfer', async () => {
  const passed = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => passed.mockRestore())
  const files = openFiles(placeOn(), 'imports')
  await files.keep('large.csv', streamOf('Jour;', 'Prix'))
  expect(await textOf(files.read('large.csv'))).toBe('Jour;Prix')
})
