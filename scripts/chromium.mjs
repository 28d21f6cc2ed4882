import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// A separate package of Chromium without windows: stories take a fifth less processor time in it.
const shell = ['chromium-headless-shell']
const whole = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/**
 * Returns the browser of the user stories: the one in CHROMIUM_PATH, Chromium's shell, the system's, or Debian's
 * package.
 */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) {
    if (isExecutable(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH
    console.error(`CHROMIUM_PATH ne mène pas à un programme : ${process.env.CHROMIUM_PATH}`)
    return undefined
  }
  const hasOne = onPath(whole) !== undefined
  const found = onPath(shell) ?? installed(shell, hasOne) ?? onPath(whole) ?? installed(whole, false)
  if (found) return found
  console.error('Les essais dans le navigateur demandent Chromium, qui manque sur cette machine.')
  console.error('Installez-le (Debian : apt-get install chromium) ou donnez son chemin dans CHROMIUM_PATH.')
  return undefined
}

function onPath(names) {
  const directories = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => directories.map((directory) => join(directory, name))).find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Ubuntu's package of the same name only installs a snap, which containers do not support.
function isRootOnDebian() {
  try {
    return process.getuid?.() === 0 && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

/**
 * Installs Debian's package of the first name, when we have the right; `isSpare`: without updating the package lists
 * first.
 */
function installed(names, isSpare) {
  if (!isRootOnDebian()) return undefined
  console.log(`Installation de ${names[0]} (paquet Debian)…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const stdio = ['ignore', 'ignore', isSpare ? 'ignore' : 'inherit']
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', ...args], { env, stdio, timeout: 300_000 }).status === 0
  const packages = ['install', '-y', '--no-install-recommends', names[0]]
  // The package lists of a fresh image are empty or old; when they are good, updating them would cost a network round
  // trip.
  if (!apt(...packages) && (isSpare || !apt('update') || !apt(...packages))) return undefined
  return onPath(names)
}
