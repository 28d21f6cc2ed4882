import { bootstrap, fail, run } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'
import { serverMemory } from './server-memory.mjs'

await bootstrap()
const isBuilt = await ensureBundle()
if (!isBuilt) fail('Le programme du navigateur ne se construit pas : voyez l’erreur ci-dessus.')
// Benches run with the memory settings of the server, so that their figures apply to it.
const { options, env } = serverMemory
process.exitCode = await run([...options, 'bench/run.ts', ...process.argv.slice(2)], { env })
