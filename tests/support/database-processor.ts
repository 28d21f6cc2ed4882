import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'

/** Returns the processor time (ms) that all processes of a PostgreSQL on this machine have used since it started. */
export async function databaseProcessorMs<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const postmaster = Number(statOf(rows[0]?.pid ?? 0)[1])
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  const own = children.map((pid) => statOf(Number(pid)).slice(11, 13))
  // The parent's figures include the processes that have ended.
  return [...own, statOf(postmaster).slice(11, 15)].flat().reduce((sum, ticks) => sum + Number(ticks), 0) * 10
}

/** Returns the fields of /proc/…/stat after the name of the command, the state first. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
