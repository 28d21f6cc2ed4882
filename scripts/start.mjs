import { bootstrap, fail, run, settingsFile } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'

await bootstrap()
const isBuilt = await ensureBundle()
if (!isBuilt) fail('Le programme du navigateur ne se construit pas : voyez l’erreur ci-dessus.')
process.exitCode = await run([...settingsFile(), 'src/main/server.ts', ...process.argv.slice(2)])
