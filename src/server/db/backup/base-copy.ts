// A copy of the embedded database while it is in use. The package carries no client tools, so this follows the low-level
// procedure of the PostgreSQL manual (« Making a Base Backup Using the Low Level API »).

import { constants, type Dirent } from 'node:fs'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Embedded } from '#server/db/embedded/embedded.ts'
import { nullIfAbsent } from '#server/files/publish.ts'

/** Files that a server recreates when it starts; pg_wal is copied separately. */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'backup_label', 'tablespace_map'])
const emptied = new Set([
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
// Read last: it names the checkpoint that the copy is younger than.
const control = join('global', 'pg_control')

/**
 * Copies the cluster in `from` to `to`. PostgreSQL recovers it to the state at the end of the copy on its first start.
 *
 * @param connection how to reach the PostgreSQL that runs on `from`
 */
export async function copyCluster(
  connection: Embedded['connection'],
  from: string,
  to: string,
): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'ntalo backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    // As long as this connection lives, no segment that the copy needs is recycled.
    await client.query(
      `select pg_create_physical_replication_slot('ntalo_backup_' || pg_backend_pid(), true, true)`,
    )
    const start = await client.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('ntalo', fast => true)) as segment`,
    )
    await copyTree(from, to, '')
    await copyFile(join(from, control), join(to, control))
    const stop = await client.query<{ segment: string; label: string }>(
      `select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(wait_for_archive => false)`,
    )
    await writeFile(join(to, 'backup_label'), stop.rows[0]?.label ?? '', { mode: 0o600 })
    await copySegments(join(from, 'pg_wal'), join(to, 'pg_wal'), {
      first: start.rows[0]?.segment ?? '',
      last: stop.rows[0]?.segment ?? '',
    })
  } finally {
    await client.end()
  }
}

async function copyTree(from: string, to: string, folder: string): Promise<void> {
  await mkdir(join(to, folder), { recursive: true, mode: 0o700 })
  for (const entry of await readdir(join(from, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (leftOut.has(path) || path === control) continue
    if (entry.isDirectory()) {
      if (emptied.has(path)) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
      else await copyTree(from, to, path)
    } else if (isLasting(entry)) await copyIfThere(join(from, path), join(to, path))
  }
}

// Temporary files and tables do not outlive the server.
function isLasting(entry: Dirent): boolean {
  return entry.isFile() && !/^(pgsql_tmp|t\d+_\d+)/.test(entry.name)
}

/** Copies a file unless its table was dropped during the copy; the write-ahead log contains that change. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(nullIfAbsent)
}

async function copySegments(
  from: string,
  to: string,
  wanted: { first: string; last: string },
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of ['archive_status', 'summaries']) await mkdir(join(to, name), { mode: 0o700 })
  for (const name of await readdir(from)) {
    const isWanted = /^[\dA-F]{24}$/.test(name) && name >= wanted.first && name <= wanted.last
    if (isWanted) await copyFile(join(from, name), join(to, name))
  }
}
