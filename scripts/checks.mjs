/** The checks that need no test runner; each counts as one in `npm test`. */
export const checks = [
  { name: 'types, server', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.server.json'] },
  { name: 'types, browser', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.web.json'] },
  { name: 'types, browser tests', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json'] },
  { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
]
