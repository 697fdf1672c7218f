import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Only ends what hangs: tests wait for real work, a minute of it, on machines that others use too.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 60_000 } },
    // No test leaves anything behind in its process, so files share one and load each module once.
    isolate: false,
    passWithNoTests: false,
    setupFiles: ['test/support/laws.ts'],
    // Much of a test's time is waiting for disks, processes and a browser.
    maxWorkers: 4,
  },
})
