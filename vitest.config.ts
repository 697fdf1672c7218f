import { defineConfig } from 'vitest/config'

/** Only ends what hangs: the longest tests of the long form take some minutes on two cores, on a busy machine each. */
const TIMEOUT_MS = 600_000

export default defineConfig({
  test: {
    include: ['test/**/*.{test,proof}.ts'],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // Shorter, so that a condition that never holds is reported with its value.
    expect: { poll: { timeout: 120_000 } },
    // No test leaves anything behind in its process, so files share one and load each module once.
    isolate: false,
    passWithNoTests: false,
    globalSetup: ['scripts/client.mjs', 'test/support/global-postgres.ts'],
    setupFiles: ['test/support/laws.ts'],
    // Much of a test's time is waiting for disks, processes and a browser.
    maxWorkers: 4,
  },
})
