import * as fs from 'node:fs'
import { join } from 'node:path'
import { changeOwner, databaseUser, findBinaries, run } from './binaries.ts'
import { commandLine, dataDirArgument } from './process.ts'

export type Cluster = ReturnType<typeof openCluster>

/** Finds or creates the cluster (PGDATA) under `dataDir`; if durable, a new one is synced to disk. */
export function openCluster(dataDir: string, isDurable: boolean) {
  // Node's recursive mkdir never returns where no directory can be created (/proc).
  run('/bin/mkdir', ['-p', dataDir], { env: { LC_ALL: 'C' } })
  const root = fs.realpathSync(dataDir)
  const dir = join(root, 'postgres')
  const user = databaseUser(dir)
  const cluster = { dir, logFile: join(root, 'postgres.log'), binaries: findBinaries(user), user }
  if (!fs.existsSync(dir)) createCluster(root, cluster, isDurable)
  const version = fs.readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim()
  if (version !== '18') throw new Error(`${dir}: PG_VERSION ${version}`)
  // A backup restored by root is owned by root.
  if (user.uid && fs.statSync(dir).uid === 0) run('chown', ['-R', `${user.uid}:${user.gid}`, dir])
  return cluster
}

/** Creates the cluster under a temporary name, then renames it: a concurrent or killed start leaves no partial one. */
function createCluster(root: string, { dir, binaries, user }: Cluster, isDurable: boolean): void {
  for (const name of fs.readdirSync(root)) {
    const pid = /^postgres\.new-(\d+)$/.exec(name)?.[1]
    if (pid && !commandLine(pid)) fs.rmSync(join(root, name), { recursive: true, force: true })
  }
  const temporary = join(root, `postgres.new-${process.pid}`)
  const env = { LC_ALL: 'C', TZ: 'UTC', PGDATA: dataDirArgument(temporary) }
  const here = { ...user, cwd: temporary, env }
  const [initdb, postgres] = [join(binaries, 'bin', 'initdb'), join(binaries, 'bin', 'postgres')]
  try {
    fs.mkdirSync(temporary, { mode: 0o700 })
    changeOwner(temporary, user)
    const access = ['-U', 'ntalo', '--auth-local=trust', '--auth-host=reject']
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8']
    run(initdb, [...access, ...locale, '--data-checksums', '--no-instructions', '--no-sync'], here)
    run(postgres, ['--single', '-F', '-c', 'exit_on_error=on', 'postgres'], {
      ...here,
      input: 'create database ntalo',
    })
    if (isDurable) run(initdb, ['--sync-only'], here)
    fs.renameSync(temporary, dir)
    // Without this, a power cut could lose the rename, and with it all data written since.
    run('sync', [root])
  } catch (error) {
    if (!fs.existsSync(join(dir, 'PG_VERSION'))) throw error
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}
