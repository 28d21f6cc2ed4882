// npm run bench [-- NAME…]: runs bench/NAME.bench.ts, prints its figures, keeps them in bench/results/NAME.md.
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describeMachine, type Measure } from './measure.ts'

type Bench = { title: string; measure: () => Promise<Measure[]> }

const known = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.bench.ts'))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !known.includes(name))
const machine = describeMachine()

if (unknown.length > 0) {
  console.error(`Mesure inconnue : ${unknown.join(', ')}. Il y a : ${known.sort().join(', ')}.`)
  process.exit(1)
}
console.log(machine)
for (const name of wanted.length > 0 ? wanted : known.sort()) {
  // A benchmark is a module with these two exports; a wrong one fails on the next line.
  const bench = (await import(`./${name}.bench.ts`)) as Bench
  const measures = await bench.measure()
  console.log(`\n${name} : ${bench.title}`)
  console.table(measures.map((each) => ({ ...present(each) })))
  keep(name, bench.title, measures)
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

function keep(name: string, title: string, measures: Measure[]): void {
  const lines = measures.map(present).map((row) => `| ${Object.values(row).join(' | ')} |`)
  const table = ['| what | value | goal | reached |', '|---|---|---|---|', ...lines].join('\n')
  const text = `# ${title}\n\n${new Date().toISOString().slice(0, 10)}, ${machine}\n\n${table}\n`
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.md`), text)
}

function round(value: number): number {
  return Number(value.toPrecision(value >= 100 ? 4 : 3))
}
