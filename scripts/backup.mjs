import { bootstrap, run } from './bootstrap.mjs'
import { settingsFile } from './settings.mjs'

// `backup` or `restore`, as package.json passes it.
const [command, ...given] = process.argv.slice(2)
const settings = settingsFile()
await bootstrap()
// npm runs scripts in the folder of package.json, but a relative folder starts where the command was typed.
const from = process.env.INIT_CWD ?? process.cwd()
// Client tools of PostgreSQL are searched from where the command was typed.
const place = [from, process.env.PATH ?? '']
process.exitCode = await run([...settings, 'src/main/backup.ts', command, ...place, ...given])
