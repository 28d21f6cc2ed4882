// The table of all figures in bench/README.md: each benchmark replaces its own part.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Part = { name: string; title: string; machine: string; rows: Row[] }
type Row = { what: string; value: string; goal: string; reached: string }

/** Writes the figures of a benchmark with the machine and the date, in place of the previous ones. */
export function keepFigures(folder: string, part: Part): void {
  const path = join(folder, 'README.md')
  writeFileSync(path, withFigures(readFileSync(path, 'utf8'), part))
}

function withFigures(text: string, { name, title, machine, rows }: Part): string {
  const lines = rows.map((row) => `| ${Object.values(row).join(' | ')} |`)
  const table = ['| what | value | goal | reached |', '|---|---|---|---|', ...lines].join('\n')
  const day = new Date().toISOString().slice(0, 10)
  const section = `### ${name}\n\n${title}. ${day}, ${machine}.\n\n${table}\n`
  const [head = '', ...sections] = text.split(/^(?=### )/m)
  const others = sections.map((each) => `${each.trimEnd()}\n`).filter((each) => nameOf(each) !== name)
  return [`${head.trimEnd()}\n`, ...[...others, section].sort(byName)].join('\n')
}

function nameOf(section: string): string {
  return section.slice('### '.length, section.indexOf('\n'))
}

function byName(one: string, other: string): number {
  return nameOf(one).localeCompare(nameOf(other))
}
