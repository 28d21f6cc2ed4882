import { run } from './bootstrap.mjs'

// Two programs, with one thread each: several checkers of one program find out the same types again, and so did a third
// program of the tests, which import the whole server. That the server knows no browser is a rule of the linter.
const types = (program) => [
  'node_modules/typescript/bin/tsc',
  '--singleThreaded',
  '-p',
  `tsconfig.${program}.json`,
]

export const vitest = 'node_modules/vitest/vitest.mjs'

export const lint = {
  name: 'lint',
  args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
}

/** The checks that need no test runner; each counts as one in `npm test`. */
export const checks = [
  { name: 'types, server and tests', args: types('server') },
  { name: 'types, browser', args: types('web') },
  lint,
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
]

/** Runs checks beside each other: `{ name, isPassed }` of each. */
export function runChecks(chosen = checks) {
  return Promise.all(chosen.map(async ({ name, args }) => ({ name, isPassed: (await run(args)) === 0 })))
}
