// Everything that must be true, on a fresh clone. The last line adds up what really ran.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bootstrap, root, run } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'
import { runChecks, vitest } from './checks.mjs'
import { findChromium } from './chromium.mjs'

const patterns = process.argv.slice(2)
// A server that starts for the second time finds itself compiled.
const programs = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') }
const count = { passed: 0, failed: 0, skipped: 0 }

await bootstrap()
// Meanwhile: neither reads what the other writes.
const build = ensureBundle()
if (patterns.length === 0) {
  for (const { name, isPassed } of await runChecks()) record(name, isPassed)
}
record('build', await build)
await runTests()

const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`)
process.exitCode = count.failed === 0 ? 0 : 1

function record(name, isPassed) {
  console.log(`${isPassed ? '✓' : '✗'} ${name}`)
  count[isPassed ? 'passed' : 'failed'] += 1
}

async function runTests() {
  const chromium = findChromium()
  if (!chromium) record('Chromium', false)
  const directory = mkdtempSync(join(tmpdir(), 'ntalo-test-'))
  const report = join(directory, 'report.json')
  const projects = chromium ? [] : ['--project=!e2e']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // A forgotten `test.only` would hide all other tests.
  const only = patterns.length === 0 ? ['--allowOnly=false'] : []
  const options = [...reporters, ...projects, ...only]
  const code = await run([vitest, 'run', ...options, ...patterns], {
    env: { ...programs, ...(chromium && { CHROMIUM_PATH: chromium }) },
  })
  const results = readReport(report)
  tally(results, code)
  if (results && patterns.length === 0) printSlowest(results)
  rmSync(directory, { recursive: true, force: true })
}

function tally(report, code) {
  const before = count.failed
  const ran = report ? report.numPassedTests + report.numFailedTests : 0
  if (report) {
    count.passed += report.numPassedTests
    count.failed += report.numFailedTests
    count.skipped += report.numPendingTests + report.numTodoTests
    // A file that does not even load has no test to count.
    for (const file of report.testResults) {
      if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
        record(`${file.name} : ${file.message}`, false)
      }
    }
  }
  if (ran === 0) record('vitest a exécuté au moins un essai', false)
  // Unhandled errors and a failed global set-up or teardown show in the exit code only.
  else if (code !== 0 && count.failed === before) record('vitest s’est terminé sans erreur', false)
}

// Where the time of the whole run went, for whoever wants it shorter.
function printSlowest({ testResults }) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000
  const slowest = testResults.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, 10)
  console.log('\nLes dix fichiers les plus lents :')
  for (const file of slowest) {
    console.log(`${seconds(file).toFixed(1).padStart(7)} s  ${relative(root, file.name)}`)
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
