// A real S3 server: Debian's radosgw over one Ceph store on disk. Each of its programs can be killed and restarted.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { onTestFinished } from 'vitest'
import type { S3Settings } from '#server/files/s3.ts'
import { privateDirectory } from './embedded.ts'
import { freePort } from './kill-trial.ts'
import { missingPrograms } from './programs.ts'
import { eventually } from './waiting.ts'

const programs = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']

/** First program that this machine lacks (Debian: radosgw, ceph-mon, ceph-osd, ceph-common); null when it has all. */
export const lackedByRados = missingPrograms(programs)[0] ?? null

export type Rados = {
  settings: S3Settings
  /** Kills the gateway and the store with SIGKILL. */
  kill(): Promise<void>
  /** Starts both again; resolves once the server answers. */
  start(): Promise<void>
}

/** Starts a server in a private directory, with an empty bucket; it is stopped after the test. */
export async function startRados(): Promise<Rados> {
  const directory = privateDirectory()
  const [monitorPort, port] = [await freePort(), await freePort()]
  const fsid = randomUUID()
  const file = (name: string) => join(directory, name)
  for (const name of ['mon', 'osd']) mkdirSync(file(name))
  writeFileSync(file('ceph.conf'), configuration({ directory, fsid, monitorPort, port }))
  const run = (name: string, ...words: string[]) =>
    execFileSync(name, words, {
      cwd: directory,
      timeout: 120_000,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, CEPH_CONF: file('ceph.conf') },
    })
  const running = new Map<string, ChildProcess>()
  const begin = (name: string, ...words: string[]) => {
    const child = spawn(name, ['-f', '-c', file('ceph.conf'), ...words], { cwd: directory, stdio: 'ignore' })
    running.set(name, child)
  }
  const end = async (name: string) => {
    const child = running.get(name)
    running.delete(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(async () => {
    for (const name of [...running.keys()]) await end(name)
  })

  run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, file('map'))
  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']
  run(
    'ceph-authtool',
    '--create-keyring',
    file('keyring'),
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  )
  for (const name of ['client.admin', 'osd.0'])
    run('ceph-authtool', file('keyring'), '--gen-key', '-n', name, ...all)
  run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', file('map'), '--keyring', file('keyring'))
  begin('ceph-mon', '-i', 'a')
  const osd = randomUUID()
  run('ceph', 'osd', 'new', osd)
  run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)

  const settings: S3Settings = {
    url: `http://127.0.0.1:${port}`,
    bucket: 'ntalo',
    key: 'NTALOKEY',
    secret: 'ntalosecret',
    region: 'us-east-1',
  }
  async function start() {
    begin('ceph-osd', '-i', '0')
    begin('radosgw', '-n', 'client.admin')
    await eventually('the server of S3 answers', () =>
      fetch(settings.url, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }
  await start()
  const owner = ['--uid=ntalo', '--display-name=ntalo', `--access-key=${settings.key}`]
  run('radosgw-admin', 'user', 'create', ...owner, `--secret-key=${settings.secret}`)
  const { key: accessKeyId, secret: secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  const made = await client.fetch(`${settings.url}/${settings.bucket}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`no bucket: ${made.status} ${await made.text()}`)
  return {
    settings,
    start,
    async kill() {
      await Promise.all([end('radosgw'), end('ceph-osd')])
    },
  }
}

function configuration(of: { directory: string; fsid: string; monitorPort: number; port: number }): string {
  return `[global]
fsid = ${of.fsid}
mon host = [v2:127.0.0.1:${of.monitorPort}/0]
mon initial members = a
keyring = ${of.directory}/keyring
run dir = ${of.directory}
admin socket = ${of.directory}/$name.asok
log file = /dev/null
mon cluster log file = /dev/null
pid file =
mon data = ${of.directory}/mon
osd data = ${of.directory}/osd
mon data avail crit = 1
mon allow pool size one = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = bluestore
osd memory target = 900000000
bluestore block size = 4294967296
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:${of.port}
rgw thread pool size = 16
`
}
