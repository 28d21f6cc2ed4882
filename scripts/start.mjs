import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, fail, root, run } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'
import { settingsFile } from './settings.mjs'

const settings = settingsFile()
await bootstrap()
const isBuilt = await ensureBundle()
if (!isBuilt) fail('Le programme du navigateur ne se construit pas : voyez l’erreur ci-dessus.')
// A cheap machine runs it for months. By itself Node lets rubbish pile up where memory is plenty, and the allocator keeps
// what threads gave back: 190 MB are enough where 600 were held, which `npm run bench -- soak` measures.
const { options, env } = JSON.parse(readFileSync(join(root, 'scripts/server-memory.json'), 'utf8'))
process.exitCode = await run([...options, ...settings, 'src/main/server.ts', ...process.argv.slice(2)], {
  env,
})
