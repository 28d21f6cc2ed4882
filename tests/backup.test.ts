// Backups made during writes, by the copy of the embedded database and (where the machine has client tools of its
// version) by pg_dump. The restored data is compared with what was written; each refusal is tested beside a restoration
// that works.

import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { backUp } from '#server/backup/back-up.ts'
import { restore } from '#server/backup/restore.ts'
import { findClientTools } from '#server/db/backup/client-tools.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { openS3 } from '#server/files/s3.ts'
import { privateDirectory, query, quiet, startProgram } from './support/embedded.ts'
import { tries } from './support/length.ts'
import { narrowLimits, widenLimits } from './support/limits.ts'
import { type S3Server, startS3 } from './support/s3-server.ts'
import { eventually } from './support/waiting.ts'

const path = process.env.PATH ?? ''
const migrations = resolve(import.meta.dirname, '../db/migrations')

test('a platform is backed up during writes and restored whole up to one moment, and a backup with an altered byte is refused', async () => {
  const { dataDir, connection } = await usedPlatform()
  const writers = await startWriters(connection)
  await eventually('the writers write', () => writers.acknowledged() > tries(200, 20_000))
  const before = writers.acknowledged()
  const place = { dataDir, databaseUrl: null, bucket: null, path, log: quiet }
  const folder = join(privateDirectory(), 'backup')
  const manifest = await backUp(place, folder)
  const after = writers.acknowledged()
  await writers.stop()
  expect(after).toBeGreaterThan(before)

  const data = join(privateDirectory(), 'data')
  expect(await restore(folder, { ...place, dataDir: data })).toEqual(manifest)
  const restored = await startEmbedded({ dataDir: data, role: 'tool', log: quiet })
  onTestFinished(() => restored.stop())
  // Every writer numbers its rows: the restored rows must be all those written up to one moment.
  const [written] = await query(
    restored.connection,
    'select sum(rows)::int4 as rows, sum(highest)::int4 as highest from (select count(*) as rows, max(n) as highest from written group by writer) each',
  )
  expect(written).toMatchObject({
    rows: manifest.database.rows.written,
    highest: manifest.database.rows.written,
  })
  expect(manifest.database.rows.written).toBeGreaterThanOrEqual(before)
  expect(readFileSync(join(data, 'uploads/ab/picture.webp'), 'utf8')).toBe('a picture')

  await expect(backUp(place, folder)).rejects.toThrow('n’est pas vide')
  for (const inside of ['backups/monday', 'uploads/../backups', '..monday'])
    await expect(backUp(place, join(dataDir, inside))).rejects.toThrow('DATA_DIR')
  await expect(restore(folder, place)).rejects.toThrow('n’est pas vide')

  const faults: [string, (copy: string) => void, string][] = [
    [
      'a picture of other bytes',
      (copy) => writeFileSync(join(copy, 'files/uploads/ab/picture.webp'), 'A picture'),
      'altérée',
    ],
    [
      'a table with one more byte',
      (copy) => appendFileSync(join(copy, 'postgres/PG_VERSION'), ' '),
      'altérée',
    ],
    ['a file that is missing', (copy) => rmSync(join(copy, 'postgres/global/pg_control')), 'incomplète'],
    ['a file too many', (copy) => writeFileSync(join(copy, 'postgres/recovery.signal'), ''), 'ne cite pas'],
    ['a backup that was cut', (copy) => rmSync(join(copy, 'manifest.json')), 'achevée'],
  ]
  for (const [, spoil, refusal] of faults) {
    const copy = join(privateDirectory(), 'copy')
    cpSync(folder, copy, { recursive: true })
    spoil(copy)
    const target = join(privateDirectory(), 'data')
    await expect(restore(copy, { ...place, dataDir: target })).rejects.toThrow(refusal)
    expect(readdirSync(join(target, '..'))).toEqual([])
  }
})

test('the files of an S3 store are part of a backup, and are restored to the bucket or the folder of the target', async () => {
  const { dataDir } = await usedPlatform()
  const [from, to] = [await startS3(), await startS3()]
  const names = ['uploads', 'imports']
  const bucketOf = ({ settings }: S3Server) => ({ s3: openS3(settings), names })
  const content = {
    'uploads/cd/one.webp': 'one',
    'uploads/cd/two.webp': '',
    'imports/prix & co.csv': 'Jour',
  }
  for (const [key, text] of Object.entries({
    ...content,
    'sauvegardes/lundi/database.dump': 'another backup',
  }))
    from.objects.set(key, { bytes: Buffer.from(text), at: new Date() })
  const place = { dataDir, databaseUrl: null, bucket: bucketOf(from), path, log: quiet }
  const folder = join(privateDirectory(), 'backup')
  const { files } = await backUp(place, folder)
  const copied = files.map((file) => file.path).filter((name) => name.startsWith('files/'))
  const whole = { ...content, 'uploads/ab/picture.webp': 'a picture' }
  expect(copied.sort()).toEqual(
    Object.keys(whole)
      .map((key) => `files/${key}`)
      .sort(),
  )

  const data = join(privateDirectory(), 'data')
  await restore(folder, { ...place, dataDir: data, bucket: bucketOf(to) })
  const restored = [...to.objects].map(([key, { bytes }]) => [key, bytes.toString()])
  expect(Object.fromEntries(restored)).toEqual(whole)
  expect(readdirSync(data)).toEqual(['postgres'])

  const another = { ...place, dataDir: join(privateDirectory(), 'data') }
  await expect(restore(folder, { ...another, bucket: bucketOf(to) })).rejects.toThrow(
    'seau S3 n’est pas vide',
  )
  await restore(folder, { ...another, bucket: null })
  expect(readFileSync(join(another.dataDir, 'imports/prix & co.csv'), 'utf8')).toBe('Jour')

  writeFileSync(join(folder, 'files/imports/prix & co.csv'), 'Mois')
  to.objects.clear()
  const third = { ...place, dataDir: join(privateDirectory(), 'data'), bucket: bucketOf(to) }
  await expect(restore(folder, third)).rejects.toThrow('altérée')
  expect(to.objects.size).toBe(0)

  from.silence(true)
  narrowLimits()
  onTestFinished(widenLimits)
  const failed = join(privateDirectory(), 'backup')
  await expect(backUp(place, failed)).rejects.toThrow('Les fichiers ne peuvent pas')
  expect(readdirSync(join(failed, '..'))).toEqual([])
})

test('a backup has the files of the rows it holds, whatever is stored or removed meanwhile', async () => {
  const { dataDir } = await usedPlatform()
  writeFileSync(join(dataDir, 'listed then removed'), '')
  const { readdir } = fs
  const listing = vi.spyOn(fs, 'readdir').mockImplementation((async (
    ...asked: Parameters<typeof readdir>
  ) => {
    const found = await readdir(...asked)
    if (asked[0] === dataDir) rmSync(join(dataDir, 'listed then removed'), { force: true })
    return found
  }) as typeof readdir)
  syncBuiltinESMExports()
  onTestFinished(() => {
    listing.mockRestore()
    syncBuiltinESMExports()
  })
  const store = openS3((await startS3()).settings)
  const s3 = {
    ...store,
    // Listed once the files of the folder are copied.
    async *list(prefix: string) {
      rmSync(join(dataDir, 'uploads/ab/picture.webp'), { force: true })
      writeFileSync(join(dataDir, 'uploads/ab/later.webp'), 'a later picture')
      yield* store.list(prefix)
    },
  }
  const place = { dataDir, databaseUrl: null, bucket: { s3, names: ['uploads'] }, path, log: quiet }
  const { files } = await backUp(place, join(privateDirectory(), 'backup'))
  expect(files.map((file) => file.path).filter((name) => name.startsWith('files/'))).toEqual([
    'files/uploads/ab/later.webp',
    'files/uploads/ab/picture.webp',
  ])
})

const tools = await findClientTools(180_000, path).catch(() => null)

test.skipIf(!tools)(
  'a database given by its address is dumped in one snapshot during writes, and restored into an empty one',
  async () => {
    const { dataDir, connection } = await usedPlatform()
    const urlOf = (database: string) =>
      `postgresql://${connection.user}:unused@/${database}?host=${encodeURIComponent(connection.host)}`
    const writers = await startWriters(connection)
    await eventually('the writers write', () => writers.acknowledged() > tries(200, 20_000))
    const place = { dataDir, databaseUrl: urlOf('ntalo'), bucket: null, path, log: quiet }
    const folder = join(privateDirectory(), 'backup')
    const manifest = await backUp(place, folder)
    await writers.stop()
    expect(manifest.kind).toBe('dump')

    await query({ ...connection, database: 'postgres' }, 'create database restored')
    const empty = join(privateDirectory(), 'data')
    const target = { ...place, dataDir: empty, databaseUrl: urlOf('restored') }
    await expect(restore(folder, { ...place, dataDir: empty })).rejects.toThrow('n’est pas vide')
    expect(await restore(folder, target)).toEqual(manifest)
    expect(readFileSync(join(empty, 'uploads/ab/picture.webp'), 'utf8')).toBe('a picture')
  },
)

test('where no tool can dump a server of that version, the error names the one to install', async () => {
  await expect(findClientTools(990_000, path)).rejects.toThrow('PostgreSQL 99')
})

/** Returns a migrated platform with a picture, used by another program. */
async function usedPlatform() {
  const dataDir = privateDirectory()
  const connection = await startProgram('server', dataDir).event('ready')
  const pool = openPool({ connection })
  await migrate(pool, migrations, quiet)
  await pool.query('create table written (writer int4, n int4)')
  await pool.end()
  mkdirSync(join(dataDir, 'uploads/ab'), { recursive: true })
  writeFileSync(join(dataDir, 'uploads/ab/picture.webp'), 'a picture')
  return { dataDir, connection }
}

/** Starts four clients that write one row after the other, and count the confirmed rows. */
async function startWriters(connection: pg.ClientConfig) {
  let acknowledged = 0
  let isStopping = false
  const loops = [1, 2, 3, 4].map(async (writer) => {
    const client = new pg.Client(connection)
    await client.connect()
    for (let n = 1; !isStopping; n++) {
      await client.query('insert into written values ($1, $2)', [writer, n])
      acknowledged += 1
    }
    await client.end()
  })
  const stop = async () => {
    isStopping = true
    await Promise.all(loops)
  }
  onTestFinished(stop)
  return { acknowledged: () => acknowledged, stop }
}
