// The image of deploy/Dockerfile, built and run by buildah without a container engine and without an image registry.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { findProgram, missingPrograms } from './programs.ts'

const root = resolve(import.meta.dirname, '../..')
const image = 'ntalo'
const base = 'docker.io/library/node:24-bookworm-slim'
const buildLimitMs = 25 * 60_000

/** What this machine lacks to build the image, in a sentence; null when nothing is missing. */
export function lackOfBuilder(): string | null {
  const missing = missingPrograms(['buildah', 'mmdebstrap', 'npm'])
  if (missing.length > 0) {
    return `Sans ${missing.join(', ')} (Debian : apt-get install buildah mmdebstrap), l’image n’est pas construite.`
  }
  return process.getuid?.() === 0 ? null : 'Seul root construit l’image ici : elle n’est pas construite.'
}

export type Container = {
  /** Starts the command of the image with these settings. */
  start(settings: Record<string, string>): ChildProcess
  /** Runs another command as the image's user; returns its exit code and output. */
  run(...command: string[]): Promise<{ code: number | null; output: string }>
  /** Command of the image's health check. */
  healthCheck: string[]
  user: string
}

/**
 * Builds the image from the sources of this folder, and a container of it in `directory`. The base image is a Debian made
 * by mmdebstrap with the Node of this program; the client tools are Debian's, since PostgreSQL's own repository is not
 * within reach of every machine.
 */
export function buildImage(directory: string): Container {
  const store = [
    '--root',
    join(directory, 'images'),
    '--runroot',
    join(directory, 'run'),
    '--storage-driver',
    'vfs',
  ]
  const buildah = (...words: string[]) =>
    execFileSync('buildah', [...store, ...words], {
      cwd: root,
      encoding: 'utf8',
      timeout: buildLimitMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const archive = join(directory, 'base.tar')
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', archive], {
    timeout: buildLimitMs,
    stdio: 'pipe',
  })
  const from = buildah('from', 'scratch')
  buildah('add', '-q', from, archive, '/')
  buildah('copy', '-q', from, process.execPath, '/usr/local/bin/node')
  const npm = resolve(realpathSync(findProgram('npm') ?? ''), '../..')
  buildah('copy', '-q', from, npm, '/usr/local/lib/node_modules/npm')
  buildah(
    ...['run', '--isolation', 'chroot', from, 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js'],
    '/usr/local/bin/npm',
  )
  // A machine whose network has an authority of its own: the build fetches packages too.
  const authorities = process.env.NODE_EXTRA_CA_CERTS ?? ''
  if (existsSync(authorities)) buildah('copy', '-q', from, authorities, '/etc/ssl/certs/ca-certificates.crt')
  buildah(
    ...['config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'],
    ...['--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', from],
  )
  buildah('commit', '-q', from, base)
  buildah(
    ...['build', '--isolation', 'chroot', '--pull-never', '--format', 'docker', '-f', 'deploy/Dockerfile'],
    ...['--build-arg', 'POSTGRES_REPOSITORY=true', '--build-arg', 'POSTGRES_CLIENT=postgresql-client'],
    ...['-t', image, '.'],
  )
  const container = buildah('from', '--pull-never', image)
  const { Cmd, Healthcheck, User } = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker.config
  const running = (settings: Record<string, string>, command: string[]) => [
    ...[...store, 'run', '--isolation', 'chroot'],
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...[container, '--', ...command],
  ]
  return {
    start(settings) {
      const child = spawn('buildah', running(settings, Cmd), { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => {
        const server = child.exitCode === null && child.pid ? serverPid(child.pid) : undefined
        if (server) process.kill(server, 'SIGKILL')
      })
      return child
    },
    async run(...command) {
      const child = spawn('buildah', running({}, command), { stdio: ['ignore', 'pipe', 'ignore'] })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return { code, output: output.trim() }
    },
    healthCheck: Healthcheck.Test.slice(1),
    user: User,
  }
}

/** Process id of the server that `buildah run` started, among its descendants; undefined when it does not run. */
export function serverPid(parent: number): number | undefined {
  const tasks = `/proc/${parent}/task`
  const lists = readdirSync(tasks).map((task) => readFileSync(join(tasks, task, 'children'), 'utf8'))
  for (const pid of lists.flatMap((list) => list.split(' ').filter(Boolean)).map(Number)) {
    const isNode = /^[^\0]*\/node\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    const found = isNode ? pid : serverPid(pid)
    if (found) return found
  }
  return undefined
}
