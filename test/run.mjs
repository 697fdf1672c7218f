// Runs the tests and closes on one plain line, counted from the runner's JSON report.
// `--summary` prints the line of the last run again; other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const report = `${root}.cache/test-report.json`
const args = process.argv.slice(2)

let exitCode = 0
if (!args.includes('--summary')) {
  mkdirSync(`${root}.cache`, { recursive: true })
  rmSync(report, { force: true })
  const vitest = spawnSync(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  exitCode = vitest.status ?? 1
}

const {
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numFailedTestSuites: brokenFiles,
} = read()
if (failed > 0 || brokenFiles > 0 || passed === 0) exitCode ||= 1
console.log(`Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = exitCode

function read() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch (error) {
    console.error(`No test report was written: ${error.message}`)
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numFailedTestSuites: 1 }
  }
}
