import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// Chromium without its windows, a package of its own: stories take a fifth less of a processor in it.
const shell = ['chromium-headless-shell']
const whole = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser of the user stories: the one named by CHROMIUM_PATH, Chromium's shell, the system's, or Debian's package. */
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

// Ubuntu's package of the same name is an empty shell around snap, which containers do not have.
function isRootOnDebian() {
  try {
    return process.getuid?.() === 0 && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

/** Debian's package of the first of these names, if we may install it; `isSpare` where it is not worth the wait for new lists. */
function installed(names, isSpare) {
  if (!isRootOnDebian()) return undefined
  console.log(`Installation de ${names[0]} (paquet Debian)…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const stdio = ['ignore', 'ignore', isSpare ? 'ignore' : 'inherit']
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', ...args], { env, stdio, timeout: 300_000 }).status === 0
  const packages = ['install', '-y', '--no-install-recommends', names[0]]
  // The lists of a fresh image are empty or old; where they are good, updating them costs a network round trip.
  if (!apt(...packages) && (isSpare || !apt('update') || !apt(...packages))) return undefined
  return onPath(names)
}
