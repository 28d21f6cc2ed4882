import { bootstrap, run } from './bootstrap.mjs'
import { settingsFile } from './settings.mjs'

const settings = settingsFile()
await bootstrap()
process.exitCode = await run([...settings, 'src/main/admin-link.ts'])
