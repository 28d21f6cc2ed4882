import { bootstrap, run } from './bootstrap.mjs'
import { settingsFile } from './settings.mjs'

const settings = settingsFile()
await bootstrap()
// npm runs scripts in the folder of package.json: the file's name is relative to where the command was typed.
const from = process.env.INIT_CWD ?? process.cwd()
// Most of what an import makes is forgotten at once: a small nursery keeps the memory of a long one flat.
process.exitCode = await run([
  '--max-semi-space-size=8',
  ...settings,
  'src/main/import.ts',
  `--from=${from}`,
  ...process.argv.slice(2),
])
