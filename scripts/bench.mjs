import { bootstrap, fail, run } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'

await bootstrap()
const isBuilt = await ensureBundle()
if (!isBuilt) fail('Le programme du navigateur ne se construit pas : voyez l’erreur ci-dessus.')
process.exitCode = await run(['bench/run.ts', ...process.argv.slice(2)])
