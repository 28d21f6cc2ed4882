const tsc = 'node_modules/typescript/bin/tsc'

export const vitest = 'node_modules/vitest/vitest.mjs'

export const lint = {
  name: 'lint',
  args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
}

/** The checks that need no test runner; each counts as one in `npm test`. */
export const checks = [
  { name: 'types, server', args: [tsc, '-p', 'tsconfig.server.json'] },
  { name: 'types, browser', args: [tsc, '-p', 'tsconfig.web.json'] },
  { name: 'types, browser tests', args: [tsc, '-p', 'tsconfig.tests.json'] },
  lint,
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
]
