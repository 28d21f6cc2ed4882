import { bootstrap, run } from './bootstrap.mjs'
import { settingsFile } from './settings.mjs'

const settings = settingsFile()
await bootstrap()
// npm runs scripts in the folder of package.json, but the file's name is relative to where the command was typed.
const from = process.env.INIT_CWD ?? process.cwd()
// Most objects of an import are short-lived: a small young generation limits the memory of a long import.
process.exitCode = await run([
  '--max-semi-space-size=8',
  ...settings,
  'src/main/import.ts',
  `--from=${from}`,
  ...process.argv.slice(2),
])
