// Runs the tests, names those that failed and closes on one plain line, counted from the runner's JSON reports.
// `npm test` runs the tests, and `npm run proof` what takes longer: the files of proofs, the long forms of all files, and
// some files on PostgreSQL. QUOIN_PROOFS=1/12 runs a share of these, another for each commit.
// `--summary` counts the last runs of both and of `test/nodes.mjs` again; other arguments go to vitest.
// QUOIN_LONG=1 runs every file in its long form.
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
  tests: `${root}.cache/test-report.json`,
  proofs: `${root}.cache/test-report-proofs.json`,
  long: `${root}.cache/test-report-long.json`,
  postgres: `${root}.cache/test-report-postgres.json`,
  // Of `test/nodes.mjs`.
  node22: `${root}.cache/test-report-node-22.json`,
  node24: `${root}.cache/test-report-node-24.json`,
  node26: `${root}.cache/test-report-node-26.json`,
}
/** Files that run on PostgreSQL as well: with queries of every repository, where rows are written at once, and at random. */
const ON_POSTGRES =
  /^test\/(?:http\/(?:idempotency|bulk-pages|cursors|pruning|tags|page-list|redirects|members|assets|locales|changes)|model\/(?:model|assets)|fuzz\/fuzz|faults\/(?:kills|cancelled-groups))\./
/** In a share, the long form of a file runs for one of six commits for which a proof runs: it takes six times as long. */
const LONG_FORM = 6
/** In a share, a file runs on PostgreSQL four times as often as a proof: they are few. */
const POSTGRES = 1 / 4

const parts = partsOf(process.env.QUOIN_PROOFS)
if (process.env.QUOIN_SEED === 'new') process.env.QUOIN_SEED = String(randomInt(2 ** 31))
if (process.env.QUOIN_SEED === 'commit') process.env.QUOIN_SEED = String(seedOfCommit())
const seed = process.env.QUOIN_SEED

let exitCode = 0
let counted = Object.values(reports)
if (!args.includes('--summary')) {
  mkdirSync(`${root}.cache`, { recursive: true })
  if (seed !== undefined) console.log(`Property tests use the seed ${seed}. QUOIN_SEED=${seed} repeats it.`)
  const [first, ...rest] = args
  counted = first === 'proof' ? runProofs(rest) : runTests(args)
}

const found = counted.map(read).filter((report) => report !== null)
for (const line of failures()) console.log(line)
const { passed, failed, skipped, broken } = total()
if (failed > 0 || broken > 0 || passed === 0) exitCode ||= 1
console.log(`Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = exitCode

function runTests(given) {
  for (const report of Object.values(reports)) rmSync(report, { force: true })
  if (given.length === 0)
    console.log(`${filesOf('proof').length} files of proofs are not part of this: npm run proof`)
  run(reports.tests, given.length === 0 ? filesOf('test') : given)
  return [reports.tests]
}

function runProofs(given) {
  const wanted = [reports.proofs, reports.long, reports.postgres]
  for (const report of wanted) rmSync(report, { force: true })
  if (given.length > 0) {
    run(reports.proofs, given)
    return wanted
  }
  const [tests, proofs] = [filesOf('test'), filesOf('proof')]
  const all = [...tests, ...proofs].sort()
  const long = shareOf('long forms', all, LONG_FORM)
  const short = shareOf('proofs', proofs).filter((file) => !long.includes(file))
  const onPostgres = shareOf(
    'files on PostgreSQL',
    all.filter((file) => ON_POSTGRES.test(file)),
    POSTGRES,
  )
  console.log(`${long.length} files run in their long form, ${short.length} proofs in their short form.`)
  run(reports.long, long, { QUOIN_LONG: '1' })
  run(reports.proofs, short)
  console.log(`${onPostgres.length} files run on PostgreSQL.`)
  run(reports.postgres, onPostgres, { QUOIN_TEST_DATABASE: 'postgres' })
  return wanted
}

function run(report, files, env = {}) {
  if (files.length === 0) return
  const { status } = spawnSync(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  exitCode ||= status ?? 1
}

/** Files of a kind: `test` or `proof`. */
function filesOf(kind) {
  return readdirSync(`${root}test`, { recursive: true })
    .filter((file) => file.endsWith(`.${kind}.ts`))
    .map((file) => `test/${file}`)
    .sort()
}

/** The files that run for this commit; all where no share is wanted. @param times how much smaller the share is. */
function shareOf(kind, files, times = 1) {
  return parts === null ? files : shareOfCommit(kind, parts * times, files)
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
