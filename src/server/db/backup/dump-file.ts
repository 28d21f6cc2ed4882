import pg from 'pg'
import { type ClientTools, findClientTools, runTool, toolConnection } from '#server/db/backup/client-tools.ts'
import { type DatabaseFacts, readFacts } from '#server/db/backup/facts.ts'
import { clientConfig, type PoolOptions } from '#server/db/pool.ts'

/** Reads the facts of the current state of a database. */
export async function factsOf(connection: PoolOptions['connection']): Promise<DatabaseFacts> {
  return inSnapshot(connection, readFacts)
}

/**
 * Dumps one snapshot of a database into a file, and returns the facts of that snapshot.
 *
 * @param path where to look for client tools first
 * @throws Error in French when there are no client tools for the server's version, or when they fail
 */
export async function dumpDatabase(url: string, path: string, file: string): Promise<DatabaseFacts> {
  return inSnapshot(url, async (client) => {
    const facts = await readFacts(client)
    const tools = await findClientTools(facts.serverVersion, path)
    const exported = await client.query<{ id: string }>('select pg_export_snapshot() as id')
    const { options, env } = toolConnection(url)
    const form = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${exported.rows[0]?.id}`]
    await runTool(tools.dump, [...options, ...form, `--file=${file}`], env)
    return facts
  })
}

/** Restores a dump into an empty database, in one transaction. */
export async function restoreDatabase(
  tools: ClientTools,
  connection: PoolOptions['connection'],
  file: string,
): Promise<void> {
  const { options, env } = toolConnection(connection)
  const form = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
  await runTool(tools.restore, [...options, ...form, file], env)
}

/** Whether a database has no table in the schema `public`. */
export async function isEmptyDatabase(connection: PoolOptions['connection']): Promise<boolean> {
  return inSnapshot(connection, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int4 as n from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    return rows[0]?.n === 0
  })
}

/** Reads one snapshot of the database, without a time limit. */
async function inSnapshot<T>(
  connection: PoolOptions['connection'],
  read: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...clientConfig(connection), application_name: 'ntalo backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const result = await read(client)
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}
