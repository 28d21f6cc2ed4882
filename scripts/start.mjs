import { join } from 'node:path'
import { bootstrap, fail, root, run } from './bootstrap.mjs'
import { hold } from './builds.mjs'
import { ensureBundle } from './bundle.mjs'
import { serverMemory } from './server-memory.mjs'
import { settingsFile } from './settings.mjs'

const settings = settingsFile()
await bootstrap()
const isBuilt = await ensureBundle()
if (!isBuilt) fail('Le programme du navigateur ne se construit pas : voyez l’erreur ci-dessus.')
hold(join(root, 'dist'))
const { options, env } = serverMemory
process.exitCode = await run([...options, ...settings, 'src/main/server.ts', ...process.argv.slice(2)], {
  env,
})
