import { bootstrap, run } from './bootstrap.mjs'
import { checks } from './checks.mjs'

await bootstrap()
const failed = []
for (const { name, args } of checks) {
  if ((await run(args)) !== 0) failed.push(name)
}
if (
  (await run(['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', 'tests/architecture.test.ts'])) !== 0
) {
  failed.push('architecture')
}
console.log(failed.length === 0 ? 'Tout est en ordre.' : `À corriger : ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
