import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { waitLimitMs } from './tests/support/wait-limit.ts'

/** What counts timers or named shapes of the whole process, which other files leave behind in one that they share. */
const alone = ['gate', 'openapi', 'security'].map((name) => `src/server/http/${name}.test.ts`)

const rules = ['tests/architecture.test.ts', 'tests/typography.test.ts']

/** Files of `npm test` that `npm run test:long` runs at length (tests/support/length.ts). */
const atLength = [
  'tests/e2e/screens.e2e.ts',
  'tests/backup.test.ts',
  'tests/fuzz/{fuzz,wire}.test.ts',
  'src/features/figures/stored-index/stored-index.test.ts',
  'src/features/inflation/inflation.test.ts',
  'src/features/prices/exports/exports.test.ts',
  'src/features/payments/deposits/model.test.ts',
  'src/server/images.test.ts',
]

const globalSetup = './tests/support/global-setup.ts'
const minutes = 60_000

export default defineConfig({
  plugins: [react()],
  test: {
    setupFiles: './tests/support/each-file.ts',
    pool: 'forks',
    // A test that passes at the second try has found something: it fails.
    retry: 0,
    // Waits end when what is waited for is there: these limits end only what hangs, on the slowest machine.
    testTimeout: 30 * minutes,
    hookTimeout: 30 * minutes,
    expect: { poll: { timeout: waitLimitMs } },
    // Charts that are drawn elsewhere read their colours from it.
    css: { include: /tokens\.css/ },
    // In the order of their names: what takes longest first, so that no worker is left alone with it at the end.
    projects: [
      {
        extends: true,
        test: {
          name: 'application',
          globalSetup,
          include: ['tests/**/*.test.ts', ...alone],
          exclude: rules,
        },
      },
      {
        extends: true,
        test: {
          // Of the sources alone, in `npm run check` too.
          name: 'rules',
          include: rules,
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          globalSetup,
          // Files share what they load, which is nearly everything; each has a database of its own.
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: alone,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          globalSetup,
          // Files share what they load and the browser; each has a server and a database of its own.
          isolate: false,
          include: ['tests/e2e/**/*.e2e.ts'],
        },
      },
      {
        extends: true,
        test: {
          // `npm run test:long`: by the clock, at length, with figures; one at a time, so that nothing else is measured.
          name: 'trials',
          globalSetup,
          fileParallelism: false,
          include: ['tests/trials/**/*.trial.ts', ...atLength],
        },
      },
    ],
  },
})
