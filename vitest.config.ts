import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** What counts timers or named shapes of the whole process, which other files leave behind in one that they share. */
const alone = ['gate', 'openapi', 'security'].map((name) => `src/server/http/${name}.test.ts`)

export default defineConfig({
  plugins: [react()],
  test: {
    globalSetup: './tests/support/global-setup.ts',
    pool: 'forks',
    // Twice two cores: stories wait for a browser, and trials for time-outs, half of their time.
    maxWorkers: 4,
    // A test that passes at the second try has found something: it fails.
    retry: 0,
    // Waits end when what is waited for is there: their limits are for a machine that has much else to do.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Charts that are drawn elsewhere read their colours from it.
    css: { include: /tokens\.css/ },
    // In the order of their names: what takes longest first, so that no worker is left alone with it at the end.
    projects: [
      {
        extends: true,
        test: {
          name: 'application',
          include: ['tests/**/*.test.ts', ...alone],
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
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
          // Files share what they load and the browser; each has a server and a database of its own.
          isolate: false,
          include: ['tests/e2e/**/*.e2e.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
