// npm run check [-- --fix]: what can be said of the code without running it.
import { bootstrap, run } from './bootstrap.mjs'
import { checks, lint, vitest } from './checks.mjs'

const shouldFix = process.argv.includes('--fix')
const architecture = {
  name: 'architecture',
  args: [vitest, 'run', '--reporter=dot', 'tests/architecture.test.ts'],
}

await bootstrap()
if (shouldFix) {
  await run([...lint.args, '--write'], { stdio: 'ignore' })
  await run(['scripts/resource-costs.mjs', '--write'])
}
const failed = []
for (const { name, args } of [...checks, architecture]) {
  if ((await run(args)) !== 0) failed.push(name)
}
console.log(failed.length === 0 ? 'Tout est en ordre.' : `À corriger : ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
