// The data directory of the embedded PostgreSQL: where it is, and how it is made.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf, DatabaseStartError } from '../errors.ts'
import { type DatabaseUser, databaseUser, findBinaries } from './binaries.ts'
import { explainDataDir } from './faults.ts'
import { dataDirArgument, runningPostgres } from './process.ts'

export type Cluster = {
  /** The cluster itself (PGDATA): `DATA_DIR/postgres`. */
  dir: string
  logFile: string
  /** A named pipe: PostgreSQL runs for as long as somebody holds it open. */
  holdFile: string
  socketDir: string
  binaries: string
  user: DatabaseUser
}

const majorVersion = '18'

// Linux gives a socket path 107 bytes, macOS 103.
const socketPathLimit = 103

/** Finds or creates (on disk for sure, if durable) the cluster under `dataDir`. Throws a {@link DatabaseStartError} that says what to do. */
export function openCluster(dataDir: string, isDurable: boolean): Cluster {
  try {
    makeDirectory(dataDir)
    const root = realpathSync(dataDir)
    const dir = join(root, 'postgres')
    const user = databaseUser(dir)
    const binaries = findBinaries(user)
    if (!existsSync(dir)) createCluster(root, dir, binaries, user, isDurable)
    checkCluster(dir, user)
    return {
      dir,
      logFile: join(root, 'postgres.log'),
      holdFile: join(root, 'postgres.hold'),
      socketDir: runningPostgres(dir)?.socketDir ?? socketDirFor(dir),
      binaries,
      user,
    }
  } catch (error) {
    throw explainDataDir(dataDir, error)
  }
}

// Node's own recursive mkdir tries for ever where nothing can be made (/proc).
function makeDirectory(path: string): void {
  if (!existsSync(dirname(path))) makeDirectory(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Made beside its place, then renamed: of two first starts one wins, and a killed one leaves nothing half made. */
function createCluster(
  root: string,
  dir: string,
  binaries: string,
  user: DatabaseUser,
  isDurable: boolean,
): void {
  sweepAbandoned(root)
  const temporary = join(root, `postgres.new-${process.pid}`)
  rmSync(temporary, { recursive: true, force: true })
  try {
    mkdirSync(temporary, { mode: 0o700 })
    give(temporary, user)
    const { status, stdout, stderr, error } = spawnSync(
      join(binaries, 'bin', 'initdb'),
      [
        ...['-D', dataDirArgument(temporary), '-U', 'ntalo', '-E', 'UTF8'],
        ...['--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8'],
        ...['--auth-local=trust', '--auth-host=reject', '--data-checksums', '--no-instructions'],
        ...(isDurable ? [] : ['--no-sync']),
      ],
      { ...user, cwd: temporary, env: { LC_ALL: 'C', TZ: 'UTC' }, encoding: 'utf8' },
    )
    if (error) throw error
    if (status !== 0) throw new Error(stderr || stdout || `initdb : code ${status}`)
    renameSync(temporary, dir)
    syncDirectory(root)
  } catch (error) {
    if (!existsSync(join(dir, 'PG_VERSION'))) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function sweepAbandoned(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = Number(/^postgres\.new-(\d+)$/.exec(name)?.[1])
    if (pid && !isRunning(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Without this a power cut could lose the new name, and with it everything written since. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

function checkCluster(dir: string, user: DatabaseUser): void {
  if (!statSync(dir).isDirectory()) throw new Error(`${dir}: not a directory`)
  const version = clusterVersion(dir)
  if (version !== majorVersion) {
    throw new DatabaseStartError(
      version
        ? `Le dossier ${dir} contient une base de PostgreSQL ${version}, et Ntalo embarque PostgreSQL ${majorVersion}. Indiquez un nouveau dossier dans DATA_DIR et rechargez-y une sauvegarde.`
        : `Le dossier ${dir} existe mais ne contient pas de base PostgreSQL. Déplacez-le, ou indiquez un autre dossier dans DATA_DIR.`,
    )
  }
  // A backup that root copied back belongs to root.
  if (user.uid !== undefined && statSync(dir).uid !== user.uid) {
    spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, dir])
  }
}

function clusterVersion(dir: string): string {
  try {
    return readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return ''
  }
}

/** The socket's directory has a short name, hashed from the cluster's, because a socket path has a narrow limit. */
function socketDirFor(dir: string): string {
  const name = `ntalo-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`
  const preferred = join(tmpdir(), name)
  const isSafe = /^[\w/.-]+$/.test(preferred)
  return isSafe && preferred.length + '/.s.PGSQL.5432.lock'.length <= socketPathLimit
    ? preferred
    : join('/tmp', name)
}

/** Makes the socket's directory. Whoever can enter it is let in without a password: it has to be ours, and closed. */
export function openSocketDir({ socketDir, user }: Cluster): void {
  try {
    mkdirSync(socketDir, { mode: 0o700 })
    give(socketDir, user)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const status = lstatSync(socketDir)
  const isRoots = process.getuid?.() === 0 && status.uid === 0
  if (!status.isDirectory() || (status.uid !== (user.uid ?? process.getuid?.()) && !isRoots)) {
    throw new DatabaseStartError(
      `Le dossier ${socketDir}, où PostgreSQL doit ouvrir sa connexion, appartient à un autre utilisateur. Supprimez-le, ou indiquez un autre dossier temporaire dans TMPDIR.`,
    )
  }
  // Left by a start that was killed just after making it, or when another user ran PostgreSQL.
  if (isRoots) give(socketDir, user)
  chmodSync(socketDir, 0o700)
}

function give(path: string, { uid, gid }: DatabaseUser): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}
