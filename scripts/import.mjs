import { bootstrap, run, settingsFile } from './bootstrap.mjs'

await bootstrap()
// npm runs scripts in the folder of package.json: the file's name is relative to where the command was typed.
const from = process.env.INIT_CWD ?? process.cwd()
process.exitCode = await run([
  ...settingsFile(),
  'src/main/import.ts',
  `--from=${from}`,
  ...process.argv.slice(2),
])
