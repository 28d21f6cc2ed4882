import { bootstrap } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'

await bootstrap()
process.exitCode = (await ensureBundle({ force: true })) ? 0 : 1
