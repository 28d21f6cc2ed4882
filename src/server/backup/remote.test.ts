import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { verifyBackup, writeManifest } from '#server/backup/manifest.ts'
import { fetchBackup, remotePlace, sendBackup } from '#server/backup/remote.ts'
import { openS3 } from '#server/files/s3.ts'
import { startS3 } from '../../../tests/support/s3-server.ts'

const server = await startS3()
const s3 = openS3(server.settings)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ntalo-backup-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a backup sent to S3 is restored unchanged, and never overwrites another', async () => {
  const from = folder()
  mkdirSync(join(from, 'postgres/base'), { recursive: true })
  for (const name of ['PG_VERSION', 'base/1', 'base/2 & 3']) writeFileSync(join(from, 'postgres', name), name)
  const database = {
    serverVersion: 180_000,
    schema: '0001-x.sql',
    rows: {},
    journal: { position: 0, hash: '' },
  }
  const manifest = await writeManifest(from, { madeAt: '2026-01-01T00:00:00.000Z', kind: 'base', database })
  await sendBackup(s3, 'nuit/lundi', from, manifest)
  expect([...server.objects.keys()].at(-1)).toBe('nuit/lundi/manifest.json')
  await expect(sendBackup(s3, 'nuit/lundi', from, manifest)).rejects.toThrow('s’y trouve déjà')

  const to = folder()
  await fetchBackup(s3, 'nuit/lundi', to)
  expect(await verifyBackup(to)).toEqual(manifest)
  expect(readFileSync(join(to, 'postgres/base/2 & 3'), 'utf8')).toBe('base/2 & 3')
})

test('a name that would leave the folder is refused', async () => {
  server.objects.set('evil/../../out', { bytes: Buffer.from('x'), at: new Date() })
  await expect(fetchBackup(s3, 'evil', folder())).rejects.toThrow('refusé')
})

test.each([
  ['s3://ntalo/nuit/lundi/', { bucket: 'ntalo', prefix: 'nuit/lundi' }],
  ['/var/backups', null],
  ['s3://ntalo', null],
])('%s names a place', (text, place) => {
  expect(remotePlace(text)).toEqual(place)
})
