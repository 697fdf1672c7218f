// Runs the tests, names those that failed and closes on one plain line, counted from the runner's JSON reports.
// `--summary` prints the line of the last run again; other arguments go to vitest.
// QUOIN_LONG=1 runs every file in its long form, QUOIN_LONG=1/36 one of 36, others for each commit.
// QUOIN_PROOFS=1/6 runs one of six proofs, others for each commit.
// QUOIN_SEED=new runs the property tests with values of a new seed, QUOIN_SEED=commit with those of the commit, and
// QUOIN_SEED=n repeats them. The seed is printed.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { partsOf, seedOfCommit, shareOfCommit } from './commit-share.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const reports = {
  short: `${root}.cache/test-report.json`,
  long: `${root}.cache/test-report-long.json`,
  postgres: `${root}.cache/test-report-postgres.json`,
  // Of `test/nodes.mjs`.
  node22: `${root}.cache/test-report-node-22.json`,
  node24: `${root}.cache/test-report-node-24.json`,
  node26: `${root}.cache/test-report-node-26.json`,
}
/**
 * Files that run on PostgreSQL as well: with queries of every repository, where rows are written at once, and at random.
 * Proofs among them run there for the commits for which they run on SQLite.
 */
const ON_POSTGRES = [
  ...[
    'idempotency',
    'bulk-pages',
    'cursors',
    'pruning',
    'tags',
    'page-list',
    'redirects',
    'members',
    'assets',
    'locales',
    'changes',
  ].map((name) => `test/http/${name}.test.ts`),
  'test/model/model.test.ts',
  'test/model/assets.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/faults/kills.test.ts',
  'test/faults/cancelled-groups.test.ts',
]
/**
 * Files that prove what few changes break, and that take long: browsers, kills, attacks, installations, other stores,
 * pictures that are derived, patterns that take long, and errands of many commands.
 */
const PROOFS =
  /^test\/(?:browser|cdn|compatibility|faults|fuzz|images|model|packaging\/(?:containers|helm|package|release)|security\/(?:attacks|patterns)|http\/(?:media-refresh|picture-variants|published-media)|cli\/(?:backup|bucket|push-anywhere|push-files|tracing|transfer-files|verify|without)|app\/(?:database-outage|doctor\/stored-state|pgbouncer|replica|roles|shared-work|transfer))/
const parts = partsOf(process.env.QUOIN_LONG)
const proofParts = partsOf(process.env.QUOIN_PROOFS)
const isChosenProof = proofParts === null ? () => true : shareOfCommit('proofs', proofParts)
if (process.env.QUOIN_SEED === 'new') process.env.QUOIN_SEED = String(randomInt(2 ** 31))
if (process.env.QUOIN_SEED === 'commit') process.env.QUOIN_SEED = String(seedOfCommit())
const seed = process.env.QUOIN_SEED

let exitCode = 0
if (!args.includes('--summary')) {
  mkdirSync(`${root}.cache`, { recursive: true })
  for (const report of Object.values(reports)) rmSync(report, { force: true })
  if (seed !== undefined) console.log(`Property tests use the seed ${seed}. QUOIN_SEED=${seed} repeats it.`)
  if (parts === null) run(reports.short, args)
  else {
    const { long, short } = shares(parts)
    console.log(`${long.length} of ${long.length + short.length} files run in their long form.`)
    run(reports.long, long, { QUOIN_LONG: '1' })
    run(reports.short, short, { QUOIN_LONG: undefined })
  }
  if (args.length === 0 && process.env.QUOIN_TEST_DATABASE === undefined) {
    const files = ON_POSTGRES.filter((file) => !isWaiting(file))
    console.log(`${files.length} files run on PostgreSQL as well.`)
    run(reports.postgres, files, { QUOIN_TEST_DATABASE: 'postgres', QUOIN_LONG: undefined })
  }
}

const found = Object.values(reports)
  .map(read)
  .filter((report) => report !== null)
for (const line of failures()) console.log(line)
const { passed, failed, skipped, broken } = total()
if (failed > 0 || broken > 0 || passed === 0) exitCode ||= 1
console.log(`Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = exitCode

function run(report, given, env = {}) {
  const { status } = spawnSync(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...given,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  exitCode ||= status ?? 1
}

/** Whether a file is a proof that runs for other commits. */
function isWaiting(file) {
  return PROOFS.test(file) && !isChosenProof(file)
}

/** The files of the long and of the short form. Over as many commits as there are parts, each is likely to be in both. */
function shares(count) {
  const files = readdirSync(`${root}test`, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`)
    .sort()
  const isLong = shareOfCommit('long forms', count)
  const waiting = files.filter((file) => !isLong(file) && isWaiting(file))
  if (waiting.length > 0) console.log(`${waiting.length} files of proofs are run for other commits.`)
  return {
    long: files.filter(isLong),
    short: files.filter((file) => !isLong(file) && !isWaiting(file)),
  }
}

/** A line for each failed test and each file that could not be run, so that the end of a long log names them all. */
function failures() {
  return found
    .flatMap(({ testResults }) => testResults)
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = name.replace(root, '')
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      if (failed.length === 0) return [`Failed: ${file}: ${firstLine(message)}`]
      return failed.map(
        ({ fullName, failureMessages: [reason = ''] }) =>
          `Failed: ${file}: ${fullName}: ${firstLine(reason)}`,
      )
    })
}

/** Vitest reports a test that ran out of time by the stack of an error of this name. */
function firstLine(text) {
  const [line] = stripVTControlCharacters(text).split('\n', 1)
  return line === 'Error: STACK_TRACE_ERROR' ? 'The test did not end in its time.' : line.slice(0, 300)
}

function total() {
  if (found.length === 0) console.error('No test report was written.')
  const sum = (name) => found.reduce((all, report) => all + report[name], 0)
  return {
    passed: sum('numPassedTests'),
    failed: sum('numFailedTests'),
    skipped: sum('numPendingTests'),
    broken: found.length === 0 ? 1 : sum('numFailedTestSuites'),
  }
}

/** Null when there is none. */
function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
