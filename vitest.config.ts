import { defineConfig } from 'vitest/config'

/** Only ends what hangs: the longest tests take half a minute on two cores, those of the long form some minutes. */
const TIMEOUT_MS = process.env['QUOIN_LONG'] === undefined ? 60_000 : 600_000

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // Shorter, so that a condition that never holds is reported with its value.
    expect: { poll: { timeout: 45_000 } },
    // No test leaves anything behind in its process, so files share one and load each module once.
    isolate: false,
    passWithNoTests: false,
    globalSetup: ['test/support/global-postgres.ts'],
    setupFiles: ['test/support/laws.ts'],
    // Much of a test's time is waiting for disks, processes and a browser.
    maxWorkers: 4,
  },
})
