import { bootstrap, run, settingsFile } from './bootstrap.mjs'

await bootstrap()
process.exitCode = await run([...settingsFile(), 'src/main/import.ts', ...process.argv.slice(2)])
