import { run } from './bootstrap.mjs'

// Two programs, with one thread each: several threads of one program would compute the same types again, and so would a
// third program for the tests, which import the whole server. A rule of the linter forbids browser code in the server.
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

/** Checks that need no test runner; each counts as one in `npm test`. */
export const checks = [
  { name: 'types, server and tests', args: types('server') },
  { name: 'types, browser', args: types('web') },
  lint,
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
]

/** Runs checks in parallel; returns `{ name, isPassed }` for each. */
export function runChecks(chosen = checks) {
  return Promise.all(chosen.map(async ({ name, args }) => ({ name, isPassed: (await run(args)) === 0 })))
}
