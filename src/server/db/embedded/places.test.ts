// Places where the embedded PostgreSQL must run all the same, and places where it must say why it cannot.

import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  postmasterPid,
  privateDirectory,
  query,
  quiet,
  startInOwnMounts,
  startProgram,
  usedDataDirs,
} from '../../../../tests/support/embedded.ts'
import { startEmbedded } from './embedded.ts'

const nobody = { uid: 65534, gid: 65534 }
const root = join(import.meta.dirname, '../../../..')
const isRoot = process.getuid?.() === 0
const canMount = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0
const nobodyCanEnter =
  isRoot && spawnSync('test', ['-r', import.meta.filename], { ...nobody, cwd: '/' }).status === 0

const start = (dataDir: string) => startEmbedded({ dataDir, role: 'tool', log: quiet })

const usedDataDir = await usedDataDirs()

/** Returns the stored rows, and the user who runs PostgreSQL. */
async function readKept(dataDir: string) {
  const { connection, stop } = await start(dataDir)
  try {
    const uid = statSync(`/proc/${postmasterPid(dataDir)}`).uid
    return { uid, kept: await query(connection, 'select value from kept') }
  } finally {
    await stop()
  }
}

describe('refused', () => {
  test('a DATA_DIR that is a file', async () => {
    const dataDir = join(privateDirectory(), 'file')
    writeFileSync(dataDir, '')
    await expect(start(dataDir)).rejects.toThrow(
      `DATA_DIR (${dataDir}) ne peut pas contenir la base de données : c’est un fichier, pas un dossier. Indiquez dans DATA_DIR un autre dossier, où l’on peut écrire, ou un serveur PostgreSQL dans DATABASE_URL.`,
    )
  })

  test.runIf(process.platform === 'linux')('a DATA_DIR in which nothing can be created', async () => {
    await expect(start('/proc/ntalo/données')).rejects.toThrow(
      /^DATA_DIR .*aucun dossier ne peut être créé à cet endroit\. Indiquez/,
    )
  })

  test('a folder « postgres » that is not a database, and is not changed', async () => {
    const dataDir = privateDirectory()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'mine')
    await expect(start(dataDir)).rejects.toThrow('n’est pas une base de PostgreSQL 18')
    expect(readFileSync(join(dataDir, 'postgres', 'letter.txt'), 'utf8')).toBe('mine')
  })

  test('a database of another version of PostgreSQL', async () => {
    const dataDir = privateDirectory()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow('n’est pas une base de PostgreSQL 18')
  })
})

test('leftovers of a killed first start are removed', async () => {
  const dataDir = privateDirectory()
  const left = join(dataDir, `postgres.new-${spawnSync('true').pid}`)
  mkdirSync(join(left, 'base'), { recursive: true })
  await (await start(dataDir)).stop()
  expect(existsSync(left)).toBe(false)
})

describe.skipIf(!isRoot)('as root', () => {
  test('PostgreSQL runs as another user, inside directories that this user cannot enter', async () => {
    const dataDir = usedDataDir()
    const { uid } = await readKept(dataDir)
    expect(uid).not.toBe(0)
    expect(spawnSync('ls', [dataDir], { uid, gid: uid, cwd: '/' }).status).not.toBe(0)
  })

  test('a database that root copied back from a backup starts', async () => {
    const dataDir = usedDataDir()
    spawnSync('chown', ['-R', '0:0', dataDir])
    expect(await readKept(dataDir)).toMatchObject({ kept: [{ value: 1 }] })
  })

  test('a database keeps its owner, even when a preferred user exists', async () => {
    const dataDir = usedDataDir()
    spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, join(dataDir, 'postgres')])
    expect(await readKept(dataDir)).toEqual({ uid: nobody.uid, kept: [{ value: 1 }] })
  })
})

describe.skipIf(!nobodyCanEnter)('as an ordinary user', () => {
  test('a first and a second start work, and PostgreSQL runs as that user', async () => {
    const dataDir = privateDirectory()
    chownSync(dataDir, nobody.uid, nobody.gid)
    const first = startProgram('tool', dataDir, nobody)
    await query(await first.event('ready'), 'create table kept as select 1 as value')
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    const connection = await startProgram('server', dataDir, nobody).event('ready')
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(nobody.uid)
    expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
  })

  test('a DATA_DIR that is not writable, and another user’s database, are refused', async () => {
    const [locked, others] = [privateDirectory(), usedDataDir()]
    chmodSync(locked, 0o555)
    chmodSync(others, 0o777)
    for (const dataDir of [locked, others]) {
      const server = startProgram('server', dataDir, nobody)
      expect(await server.event('refused')).toContain('les droits de ce dossier ne permettent pas d’y écrire')
      expect(await server.ended).toBe(1)
    }
  })
})

describe.skipIf(!canMount)('in a separate mount namespace', () => {
  test('a read-only DATA_DIR is refused, new or not', async () => {
    const script = 'mount -t tmpfs -o ro tmpfs "$1"; exec "$node" "$program" server "$1"'
    expect(await startInOwnMounts(script, privateDirectory()).event('refused')).toContain('en lecture seule')
    const again = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; exec "$node" "$program" server "$1"'
    expect(await startInOwnMounts(again, usedDataDir()).event('refused')).toContain('en lecture seule')
  })

  test('a full disk is refused at the first start, and leaves nothing half created', async () => {
    const dataDir = privateDirectory()
    const script =
      'mount -t tmpfs -o size=8m tmpfs "$1"; "$node" "$program" server "$1" || { ls "$1" | grep postgres >&2; exit 1; }'
    expect(await startInOwnMounts(script, dataDir).event('refused')).toBe(
      `DATA_DIR (${dataDir}) ne peut pas contenir la base de données : le disque est plein. Indiquez dans DATA_DIR un autre dossier, où l’on peut écrire, ou un serveur PostgreSQL dans DATABASE_URL.`,
    )
  })

  test('a disk that has filled up is refused at the next start', async () => {
    const script = `mount -t tmpfs -o size=120m tmpfs "$1"
      "$node" "$program" tool "$1" once
      cat /dev/zero > "$1/filler" 2>/dev/null || true
      exec "$node" "$program" server "$1"`
    const server = startInOwnMounts(script, privateDirectory())
    expect(await server.event('refused')).toContain('le disque est plein')
  })

  test('a checkout that PostgreSQL’s user cannot enter works, and a second start reuses the copied programs', async () => {
    const directory = privateDirectory()
    const script = `mkdir "$1/app"; mount --bind "${root}" "$1/app"; mount -t tmpfs tmpfs /var/tmp
      cd "$1/app"
      "$node" tests/support/embedded-program.ts tool "$1/data" once
      exec "$node" tests/support/embedded-program.ts server "$1/data"`
    const server = startInOwnMounts(script, directory)
    await server.event('stopped')
    server.events.splice(0)
    const connection = await server.event('ready')
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    const pid = postmasterPid(join(directory, 'data'))
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/^\/var\/tmp\/ntalo-postgresql-/)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  test('root without a user « postgres » takes « nobody », and without both says so', async () => {
    const directory = privateDirectory()
    const run = (accounts: string) =>
      startInOwnMounts(
        `grep -vE '${accounts}' /etc/passwd > "$1/passwd"; mount --bind "$1/passwd" /etc/passwd; exec "$node" "$program" tool "$1/data" once`,
        directory,
      )
    expect(await run('^(postgres|nobody):').event('refused')).toContain('ni « postgres » ni « nobody »')
    expect(await run('^postgres:').ended).toBe(0)
    expect(statSync(join(directory, 'data', 'postgres')).uid).toBe(nobody.uid)
  })
})
