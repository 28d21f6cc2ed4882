// npm run check [-- --fix]: checks the code without running it.
import { bootstrap, run } from './bootstrap.mjs'
import { checks, lint, runChecks, vitest } from './checks.mjs'

const shouldFix = process.argv.includes('--fix')
const architecture = {
  name: 'architecture',
  args: [vitest, 'run', '--reporter=dot', '--project=rules'],
}

await bootstrap()
if (shouldFix) {
  await run([...lint.args, '--write'], { stdio: 'ignore' })
  await run(['scripts/resource-costs.mjs', '--write'])
}
const outcomes = await runChecks([...checks, architecture])
const failed = outcomes.filter(({ isPassed }) => !isPassed).map(({ name }) => name)
console.log(failed.length === 0 ? 'Tout est en ordre.' : `À corriger : ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
