import { bootstrap, run } from './bootstrap.mjs'

await bootstrap()
process.exitCode = await run(['src/main/import.ts', ...process.argv.slice(2)])
