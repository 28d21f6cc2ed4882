import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Paths of `pg_dump` and `pg_restore` on this machine. */
export type ClientTools = { readonly dump: string; readonly restore: string }

const debianFolder = '/usr/lib/postgresql'

/**
 * Finds client tools for a server version, on the search path or in Debian's folders. A tool reads servers up to its
 * own version.
 *
 * @param path folders to look in first, as PATH writes them
 * @throws Error in French when there is none
 */
export async function findClientTools(serverVersion: number, path: string): Promise<ClientTools> {
  const wanted = Math.floor(serverVersion / 10_000)
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const folders = [...path.split(delimiter), ...versions.map((version) => join(debianFolder, version, 'bin'))]
  const found: number[] = []
  for (const folder of folders) {
    const tools = { dump: join(folder, 'pg_dump'), restore: join(folder, 'pg_restore') }
    if (!existsSync(tools.dump) || !existsSync(tools.restore)) continue
    const major = Number(/(\d+)(?:\.|devel|$)/.exec(await runTool(tools.dump, ['--version'], {}))?.[1])
    if (major >= wanted) return tools
    if (major > 0) found.push(major)
  }
  const others = found.length > 0 ? ` (trouvé : ${[...new Set(found)].join(', ')})` : ''
  throw new Error(
    `Il faut pg_dump et pg_restore de PostgreSQL ${wanted} ou plus récent${others}. Installez postgresql-client-${wanted}, ou ajoutez leur dossier à PATH.`,
  )
}

/**
 * Returns the arguments and environment with which a tool connects. The password is in the environment, because any
 * user of the machine can read arguments.
 *
 * @param connection an address of PostgreSQL, or how the embedded server is reached
 */
export function toolConnection(
  connection: string | { host: string; port: number; user: string; database: string },
): { options: string[]; env: Record<string, string> } {
  if (typeof connection !== 'string') {
    const { host, port, user, database } = connection
    return {
      options: [`--host=${host}`, `--port=${port}`, `--username=${user}`, `--dbname=${database}`],
      env: {},
    }
  }
  const parts = /^([^:]+:\/\/[^:@/?]*):([^@]*)@(.*)$/s.exec(connection)
  if (!parts) return { options: [`--dbname=${connection}`], env: {} }
  const [, before = '', password = '', after = ''] = parts
  return { options: [`--dbname=${before}@${after}`], env: { PGPASSWORD: decodeURIComponent(password) } }
}

/**
 * Runs a tool to its end and resolves to what it printed.
 *
 * @throws Error with the last line of its error output
 */
export function runTool(command: string, args: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(-2_000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${command} a échoué : ${complaint.trim().split('\n').at(-1) ?? code}`))
    })
  })
}
