import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Browser and process tests wait for real work on a machine that others use too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
    setupFiles: ['test/support/law-seed.ts'],
    // Much of a test's time is waiting for disks, processes and a browser.
    maxWorkers: 3,
  },
})
