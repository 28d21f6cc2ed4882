// Where the embedded PostgreSQL must run all the same, and where it must say why it cannot.

import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  postmasterPid,
  privateDirectory,
  query,
  startInOwnMounts,
  startProgram,
} from '../../../../tests/support/embedded.ts'

// Each starts several programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const nobody = { uid: 65534, gid: 65534 }
const root = join(import.meta.dirname, '../../../..')
const isRoot = process.getuid?.() === 0
const canMount = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0
const nobodyCanEnter =
  isRoot && spawnSync('test', ['-r', import.meta.filename], { ...nobody, cwd: '/' }).status === 0

test('a DATA_DIR that is a file is refused', async () => {
  const dataDir = join(privateDirectory(), 'file')
  writeFileSync(dataDir, '')
  const server = startProgram('server', dataDir)
  expect(await server.event('refused')).toBe(
    `DATA_DIR (${dataDir}) ne peut pas contenir la base de données : c’est un fichier, pas un dossier. Indiquez un dossier dans DATA_DIR, ou déplacez ce fichier.`,
  )
  expect(await server.ended).toBe(1)
})

test.runIf(process.platform === 'linux')('a DATA_DIR where nothing can be made is refused', async () => {
  const server = startProgram('server', '/proc/ntalo/données')
  expect(await server.event('refused')).toMatch(
    /^DATA_DIR .*indiquez dans DATA_DIR un dossier où l’on peut écrire/i,
  )
  expect(await server.ended).toBe(1)
})

test('a folder « postgres » that is no database is refused and left alone', async () => {
  const dataDir = privateDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'mine')
  expect(await startProgram('server', dataDir).event('refused')).toContain(
    'ne contient pas de base PostgreSQL',
  )
  expect(readFileSync(join(dataDir, 'postgres', 'letter.txt'), 'utf8')).toBe('mine')
})

test('a database of another version of PostgreSQL is refused', async () => {
  const dataDir = privateDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  expect(await startProgram('server', dataDir).event('refused')).toContain('PostgreSQL 17')
})

test('what a killed first start left half made is swept away', async () => {
  const dataDir = privateDirectory()
  const { pid } = spawnSync('true')
  mkdirSync(join(dataDir, `postgres.new-${pid}`, 'base'), { recursive: true })
  await startProgram('server', dataDir).event('ready')
  expect(statSync(join(dataDir, `postgres.new-${pid}`), { throwIfNoEntry: false })).toBeUndefined()
})

describe.skipIf(!isRoot)('as root', () => {
  test('PostgreSQL runs as another user, inside directories that this user cannot enter', async () => {
    const dataDir = join(privateDirectory(), 'data')
    await startProgram('server', dataDir).event('ready')
    const { uid } = statSync(`/proc/${postmasterPid(dataDir)}`)
    expect(uid).not.toBe(0)
    const asDatabaseUser = spawnSync('ls', [dataDir], { uid, gid: uid, cwd: '/' })
    expect(asDatabaseUser.status).not.toBe(0)
  })

  test('a database that root copied back from a backup starts', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    await query(await server.event('ready'), 'create table kept as select 1 as value')
    server.signal('SIGTERM')
    await server.ended
    spawnSync('chown', ['-R', '0:0', dataDir])
    const connection = await startProgram('server', dataDir).event('ready')
    expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
  })

  test('a database keeps its owner, even when a preferred user exists', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    const { host } = await server.event('ready')
    server.signal('SIGTERM')
    await server.ended
    spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, join(dataDir, 'postgres')])
    rmSync(host, { recursive: true, force: true })
    await startProgram('server', dataDir).event('ready')
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(nobody.uid)
  })

  test('a socket directory that another user has prepared is not trusted', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    const { host } = await server.event('ready')
    server.signal('SIGTERM')
    await server.ended
    mkdirSync(host)
    writeFileSync(join(host, 'trap'), '')
    chownSync(host, 12345, 12345)
    try {
      expect(await startProgram('server', dataDir).event('refused')).toContain(
        `${host}, où PostgreSQL doit ouvrir`,
      )
    } finally {
      rmSync(host, { recursive: true, force: true })
    }
  })
})

describe.skipIf(!nobodyCanEnter)('as an ordinary user', () => {
  test('a first and a second start work, and PostgreSQL runs as that user', async () => {
    const dataDir = privateDirectory()
    chownSync(dataDir, nobody.uid, nobody.gid)
    const first = startProgram('server', dataDir, nobody)
    await query(await first.event('ready'), 'create table kept as select 1 as value')
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(nobody.uid)
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)

    const connection = await startProgram('server', dataDir, nobody).event('ready')
    expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
  })

  test('a DATA_DIR where one may not write is refused', async () => {
    const dataDir = privateDirectory()
    chmodSync(dataDir, 0o555)
    const server = startProgram('server', dataDir, nobody)
    expect(await server.event('refused')).toContain('les droits de ce dossier ne permettent pas d’y écrire')
    expect(await server.ended).toBe(1)
  })

  test('another user’s database is refused', async () => {
    const dataDir = privateDirectory()
    const owner = startProgram('server', dataDir)
    await owner.event('ready')
    owner.signal('SIGTERM')
    await owner.ended
    chmodSync(dataDir, 0o777)
    chownSync(join(dataDir, 'postgres'), 12345, 12345)
    expect(await startProgram('server', dataDir, nobody).event('refused')).toContain(
      'les droits de ce dossier',
    )
  })
})

describe.skipIf(!canMount)('with file systems of its own', () => {
  test('a read-only DATA_DIR is refused, new or not', async () => {
    const dataDir = privateDirectory()
    const script = 'mount -t tmpfs -o ro tmpfs "$1"; exec "$node" "$program" server "$1"'
    expect(await startInOwnMounts(script, dataDir).event('refused')).toContain('en lecture seule')

    const server = startProgram('server', dataDir)
    await server.event('ready')
    server.signal('SIGTERM')
    await server.ended
    const again = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; exec "$node" "$program" server "$1"'
    expect(await startInOwnMounts(again, dataDir).event('refused')).toContain('en lecture seule')
  })

  test('a full disk is refused at the first start, and leaves nothing half made', async () => {
    const dataDir = privateDirectory()
    const script =
      'mount -t tmpfs -o size=8m tmpfs "$1"; "$node" "$program" server "$1" || { ls "$1" | grep postgres >&2; exit 1; }'
    expect(await startInOwnMounts(script, dataDir).event('refused')).toBe(
      `DATA_DIR (${dataDir}) ne peut pas contenir la base de données : le disque est plein. Libérez de la place, ou indiquez dans DATA_DIR un dossier sur un autre disque.`,
    )
  })

  test('a disk that has filled up is refused at the next start', async () => {
    const dataDir = privateDirectory()
    const script = `mount -t tmpfs -o size=120m tmpfs "$1"
      "$node" "$program" tool "$1" once
      cat /dev/zero > "$1/filler" 2>/dev/null || true
      exec "$node" "$program" server "$1"`
    expect(await startInOwnMounts(script, dataDir).event('refused')).toContain('le disque est plein')
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

  test('a database that runs in another container is left alone', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    // Neither its processes nor its socket are to be seen from there.
    const script = 'export TMPDIR="$1"; exec unshare -p -f --mount-proc "$node" "$program" server "$1"'
    expect(await startInOwnMounts(script, dataDir).event('refused')).toContain('dans un autre conteneur')
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('root without a user « postgres » takes « nobody », and without both says so', async () => {
    const directory = privateDirectory()
    const run = (accounts: string) =>
      startInOwnMounts(
        `grep -vE '${accounts}' /etc/passwd > "$1/passwd"; mount --bind "$1/passwd" /etc/passwd; exec "$node" "$program" server "$1/data"`,
        directory,
      )
    expect(await run('^(postgres|nobody):').event('refused')).toContain('ni « postgres » ni « nobody »')
    const server = run('^postgres:')
    await server.event('ready')
    expect(statSync(join(directory, 'data', 'postgres')).uid).toBe(nobody.uid)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  })
})
