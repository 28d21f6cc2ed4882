// Prints the table of docs/resource-costs.md that counts the lines of resources; --write updates that file.
// node_modules/.bin/node scripts/resource-costs.mjs [--write]

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const listed = [
  ['brands', 'nothing: the one to copy; two can become one'],
  [
    'categories',
    'counters; two can become one, with their types; categories created several at once by an import',
  ],
  [
    'product-types',
    'a category and a nature to choose, in the form, the filters and each line of SQL; two can become one; created several at once by an import',
  ],
  [
    'markets',
    'counters, place and time zone (checked, suggested, and prices that move with it); created several at once by an import',
  ],
  [
    'products',
    'a table: counters, pictures, many filters, the page of one and a page to edit it, two paths through a million rows',
  ],
  [
    'users/accounts',
    'no resource: what users and agents are alike, and what a change of one entails (a password, sessions that end, the last super administrator)',
  ],
  ['users/agents/collected', 'no resource: what agents collected, and who is silent'],
  ['users/permissions', 'a table: what the program asks about keeps its name'],
  ['users/roles', 'a table: nobody gives what he has not'],
  ['users/agents', 'a table: an account, with what he collected and his markets'],
  ['users', 'a table: an account, with his roles, how he signs in, counters'],
  ['plans', 'two spellings of what is written, what each comprises'],
  [
    'subscriptions',
    'a table: one’s own beside everybody’s, a trial, taken once, cancelled and taken up again',
  ],
  [
    'payments',
    'a table: sums by status, method, currency and day; statuses that follow each other; one’s own; two spellings',
  ],
]
const suffixes = ['contract.ts', 'sql.ts', 'routes.ts', 'admin.tsx']

const rows = listed.map(([path, particular]) => {
  const folder = join(root, 'src/features', path)
  const name = basename(path)
  const four = suffixes
    .map((suffix) => join(folder, `${name}.${suffix}`))
    .map((path) => (existsSync(path) ? linesOf(path) : 0))
  const beside = filesIn(join(folder, 'ui')).reduce((sum, path) => sum + linesOf(path), 0)
  const sum = four.reduce((all, lines) => all + lines, 0)
  return [name.replace('-', ' '), ...four.map((lines) => lines || '–'), sum, beside || '–', particular]
})
const head = [
  'resource',
  'contract',
  'SQL',
  'routes',
  'screens',
  'in all',
  '`ui/`',
  'what is particular to it',
]
const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

if (process.argv.includes('--write')) {
  const page = join(root, 'docs/resource-costs.md')
  writeFileSync(page, readFileSync(page, 'utf8').replace(/\| resource \|(?:.+\n)*.+/, table))
} else {
  console.log(table)
}

function linesOf(path) {
  return readFileSync(path, 'utf8').trimEnd().split('\n').length
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map(({ name }) => join(folder, name))
}
