// The browser's files and the markup that the server renders: built by Vite into a separate directory, which becomes
// dist/current in one step, so that a build never disturbs a running server or another build.
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { root, run } from './bootstrap.mjs'
import { publish } from './builds.mjs'

const dist = join(root, 'dist')
const current = join(dist, 'current')
const builds = join(dist, 'builds')
const keptAssetsMs = 30 * 24 * 3_600_000
const outsideSources = ['package-lock.json', 'vite.config.ts', 'scripts/bundle.mjs']

/** Builds when the sources differ from those of dist/current; returns false when the build fails. */
export async function ensureBundle({ force = false, keepsOldAssets = true } = {}) {
  const inputs = hashInputs()
  if (!force && readMark() === inputs) return true
  console.log('Construction du programme du navigateur…')
  const work = join(builds, `.${process.pid}`)
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const code = await run(['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn'], {
    env: { BUILD_DIR: work, NODE_ENV: 'production' },
  })
  if (code !== 0) {
    rmSync(work, { recursive: true, force: true })
    return false
  }
  // The server reads the manifest; browsers do not need it.
  renameSync(join(work, 'browser', '.vite', 'manifest.json'), join(work, 'manifest.json'))
  rmSync(join(work, 'browser', '.vite'), { recursive: true })
  compress(join(work, 'browser'))
  if (keepsOldAssets) keepAssetsOf(join(current, 'browser', 'assets'), join(work, 'browser', 'assets'))
  writeFileSync(join(work, 'inputs.sha256'), inputs)
  publish(dist, work, inputs.slice(0, 12))
  return true
}

function readMark() {
  try {
    return readFileSync(join(current, 'inputs.sha256'), 'utf8')
  } catch {
    return undefined
  }
}

function hashInputs() {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isBundled(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  for (const file of [...files.sort(), ...outsideSources.map((name) => join(root, name))]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

// The server runs its own sources directly: a change in them needs no build.
function isBundled(name) {
  return !/\.(sql|routes|jobs|test)\.tsx?$/.test(name)
}

// A browser that opened the previous version still requests its chunks; the names are hashes, so they never collide.
function keepAssetsOf(old, recent) {
  const oldest = Date.now() - keptAssetsMs
  for (const name of existsSync(old) ? readdirSync(old) : []) {
    const [from, to] = [join(old, name), join(recent, name)]
    if (!existsSync(to) && statSync(from).mtimeMs > oldest) linkSync(from, to)
  }
}

function compress(directory) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg|json|txt|webmanifest)$/.test(entry.name)) continue
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const content = readFileSync(path)
    if (content.length < 1024) continue
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }))
  }
}
