// Runs all checks and tests on a fresh clone. The last line adds up what has run. With --long, runs the trials and the
// longer tests instead.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bootstrap, root, run } from './bootstrap.mjs'
import { ensureBundle } from './bundle.mjs'
import { runChecks, vitest } from './checks.mjs'
import { findChromium } from './chromium.mjs'
import { processesWith, testWorkers, usedProcessorSeconds, yardstickSeconds } from './machine.mjs'

const isLong = process.argv.includes('--long')
const patterns = process.argv.slice(2).filter((word) => word !== '--long')
const isWhole = patterns.length === 0 && !isLong
/** Begins the names of the directories that the tests of this run create in memory. */
const runId = randomUUID().slice(0, 8)
/** Environment variable that only the processes of this run have. */
const mark = `NTALO_TEST_RUN=${runId}`
const count = { passed: 0, failed: 0, skipped: 0 }
const directory = mkdtempSync(join(tmpdir(), 'ntalo-test-'))

// On a signal, the run lists what is still running, stops it, and fails.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => record(signal, false))

await bootstrap()
// Measured before our own checks use the processor.
const workers = testWorkers()
const yardstick = [yardstickSeconds()]
// Run at the same time: neither reads what the other writes.
const build = ensureBundle()
if (isWhole) for (const { name, isPassed } of await runChecks()) record(name, isPassed)
record('build', await build)
try {
  await runTests()
} finally {
  endProcesses()
  removeLeftovers()
  rmSync(directory, { recursive: true, force: true })
}
yardstick.push(yardstickSeconds())
printProcessor()

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
  const report = join(directory, 'report.json')
  const waits = join(directory, 'waits.jsonl')
  const projects = [
    isLong ? '--project=trials' : '--project=!trials',
    ...(chromium ? [] : ['--project=!e2e']),
  ]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // A forgotten `test.only` would hide all other tests.
  const only = isWhole ? ['--allowOnly=false'] : []
  const ours = patterns.some((word) => word.startsWith('--maxWorkers')) ? [] : [`--maxWorkers=${workers}`]
  const options = [...reporters, ...projects, ...only, ...ours]
  const [name, value] = mark.split('=')
  const code = await run([vitest, 'run', ...options, ...patterns], {
    env: {
      NTALO_WAITS: waits,
      ...(isLong && { NTALO_LONG: '1' }),
      [name]: value,
      ...(chromium && { CHROMIUM_PATH: chromium }),
    },
  })
  const results = readReport(report)
  tally(results, code)
  if (results && patterns.length === 0) printSlowest(results)
  printNearestWaits(readWaits(waits))
}

function tally(report, code) {
  const before = count.failed
  const ran = report ? report.numPassedTests + report.numFailedTests : 0
  if (report) {
    count.passed += report.numPassedTests
    count.failed += report.numFailedTests
    count.skipped += report.numPendingTests + report.numTodoTests
    // A file that fails to load has no test to count.
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

/** Kills the processes left by an interrupted run or a killed browser. */
function endProcesses() {
  for (const pid of processesWith(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has just ended.
    }
  }
}

/** Removes the databases that an interrupted run has left, in memory or on the disk. */
function removeLeftovers() {
  for (const place of ['/dev/shm', tmpdir()].filter(existsSync)) {
    for (const name of readdirSync(place).filter((each) => each.startsWith(`ntalo-test-${runId}-`))) {
      rmSync(join(place, name), { recursive: true, force: true })
    }
  }
}

// Prints the slowest files of the run, to find what could be faster.
function printSlowest({ testResults }) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000
  const slowest = testResults.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, 10)
  console.log('\nLes dix fichiers les plus lents :')
  for (const file of slowest) {
    console.log(`${seconds(file).toFixed(1).padStart(7)} s  ${relative(root, file.name)}`)
  }
}

// A wait that comes near its limit on this machine would fail on a slower one.
function printNearestWaits(waits) {
  const nearest = waits.toSorted((a, b) => b.ms / b.limitMs - a.ms / a.limitMs).slice(0, 10)
  if (nearest.length === 0) return
  console.log('\nLes dix attentes les plus proches de leur limite :')
  for (const { what, test, ms, limitMs, cameInTime } of nearest) {
    const share = `${((100 * ms) / limitMs).toFixed(1)} %`.padStart(8)
    const end = cameInTime ? '' : ' — finie par le temps'
    console.log(`${share} de ${limitMs / 1000} s  ${what} (${test})${end}`)
  }
}

function printProcessor() {
  const seconds = usedProcessorSeconds()
  if (seconds === null) return
  const mean = (yardstick[0] + yardstick[1]) / 2
  const ratio = Math.round(seconds / mean)
  console.log(
    `\nProcesseur : ${(seconds / 60).toFixed(1)} min, soit ${ratio} fois l’étalon (${mean.toFixed(2)} s).`,
  )
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function readWaits(path) {
  try {
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    // No wait was long enough to be reported.
    return []
  }
}
