import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The browser of the user stories: the one named by CHROMIUM_PATH, the system's, or Debian's package. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) {
    if (isExecutable(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH
    console.error(`CHROMIUM_PATH ne mène pas à un programme : ${process.env.CHROMIUM_PATH}`)
    return undefined
  }
  const found = onPath()
  if (found) return found
  if (isRootOnDebian() && installPackage()) return onPath()
  console.error('Les essais dans le navigateur demandent Chromium, qui manque sur cette machine.')
  console.error('Installez-le (Debian : apt-get install chromium) ou donnez son chemin dans CHROMIUM_PATH.')
  return undefined
}

function onPath() {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
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

function installPackage() {
  console.log('Installation de Chromium (paquet Debian)…')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const stdio = ['ignore', 'ignore', 'inherit']
  const apt = (...args) => spawnSync('apt-get', ['-q', ...args], { env, stdio }).status === 0
  const packages = ['install', '-y', '--no-install-recommends', 'chromium']
  // The lists of a fresh image are empty or old; where they are good, updating them costs a network round trip.
  return apt(...packages) || (apt('update') && apt(...packages))
}
