// npm run bench [-- NAME…] [--prices N] [--minutes N]: runs bench/NAME.bench.ts, prints its figures, and writes them to
// bench/README.md.
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchOptions, describeMachine, type Measure } from './measure.ts'
import { keepFigures } from './table.ts'

type Bench = { title: string; measure: (options: BenchOptions) => Promise<Measure[]> }

const available = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) =>
  basename(file, '.bench.ts'),
)
const usual = { prices: 1_000_000, minutes: 60 }
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    prices: { type: 'string', default: String(usual.prices) },
    minutes: { type: 'string', default: String(usual.minutes) },
  },
})
const prices = Number(values.prices)
const minutes = Number(values.minutes)
const unknown = wanted.filter((name) => !available.includes(name))
const machine = describeMachine()

if (unknown.length > 0) {
  console.error(`Mesure inconnue : ${unknown.join(', ')}. Il y a : ${available.sort().join(', ')}.`)
  process.exit(1)
}
if (!Number.isSafeInteger(prices) || prices < 1000) {
  console.error('--prices attend un nombre entier de relevés, 1000 au moins.')
  process.exit(1)
}
if (!(minutes > 0)) {
  console.error('--minutes attend un nombre de minutes, plus grand que 0.')
  process.exit(1)
}
console.log(machine)
for (const name of wanted.length > 0 ? wanted : available.sort()) {
  // A benchmark is a module with these two exports; another module fails on the next line.
  const bench = (await import(`./${name}.bench.ts`)) as Bench
  const measures = await bench.measure({ prices, minutes })
  console.log(`\n${name} : ${bench.title}`)
  console.table(measures.map((each) => ({ ...present(each) })))
  const kept = [
    name,
    ...(prices === usual.prices ? [] : [`--prices ${prices}`]),
    ...(minutes === usual.minutes ? [] : [`--minutes ${minutes}`]),
  ].join(' ')
  keepFigures(import.meta.dirname, { name: kept, title: bench.title, machine, rows: measures.map(present) })
  if (measures.some((each) => !reaches(each))) process.exitCode = 1
}

function present(measure: Measure) {
  const { what, value, unit } = measure
  return {
    what,
    value: `${round(value)} ${unit}`,
    goal: goalOf(measure),
    reached: reaches(measure) ? 'yes' : 'NO',
  }
}

function reaches({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Measure): boolean {
  return value <= atMost && value >= atLeast
}

function goalOf({ atMost, atLeast, unit }: Measure): string {
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`
  return atLeast === undefined ? '' : `≥ ${atLeast} ${unit}`
}

function round(value: number): number {
  return Number(value.toPrecision(value >= 100 ? 4 : 3))
}
