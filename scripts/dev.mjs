// Restarts whenever a source changes, with the same build and the same server as in production, so that developers see
// what users get (strict CSP, hashed assets, server views).
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, environment, pinnedNode, root } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'
import { settingsFile } from './settings.mjs'

const settings = settingsFile()
const quietMs = 80
let server
let timer
let queue = Promise.resolve()

await bootstrap()
restart()
watch(join(root, 'src'), { recursive: true }, (_event, file) => {
  if (!file || /\.test\.tsx?$|~$/.test(file)) return
  clearTimeout(timer)
  timer = setTimeout(restart, quietMs)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    await stop()
    process.exit(0)
  })
}

function restart() {
  queue = queue.then(async () => {
    if (!(await ensureBundle({ keepsOldAssets: false }))) return
    await stop()
    server = spawn(pinnedNode(), [...settings, 'src/main/server.ts'], {
      cwd: root,
      stdio: 'inherit',
      env: environment(),
    })
  })
}

function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const stopped = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  return stopped
}
