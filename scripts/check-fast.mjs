// Checks a change in about half a minute: format, lint, types, boundaries and the tests that the change
// reaches, nearest and shortest first, up to a time budget. `npm run check` runs everything.
// A change is whatever differs from the commit where the branch left main, or from the commit that is given.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeClient } from './client.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Sum of the durations of the chosen test files, in ms. Vitest runs four of them at a time. */
const BUDGET_MS = 30_000
/** Assumed for a test file that the last `npm test` did not run. */
const UNKNOWN_MS = 2_000
const ALWAYS = 'test/architecture.test.ts'
const VITEST = 'node_modules/vitest/vitest.mjs'

const started = performance.now()
const base = process.argv[2] ?? branchPoint()
const changed = new Set([
  ...git('diff', '--name-only', base),
  ...git('ls-files', '--others', '--exclude-standard'),
])
console.log(`${changed.size} files differ from ${base.slice(0, 10)}.`)

await writeClient()
const [reached, ...results] = await Promise.all([
  reachedTests(),
  run('format and lint', 'node_modules/.bin/biome', [
    ...['check', '--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true'],
    ...[...changed].filter((file) => existsSync(root + file)),
  ]),
  run('types', 'node_modules/.bin/tsc', ['--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo']),
  run('build', 'npm', ['run', '--silent', 'build']),
])
if (results.includes(false)) finish(1)

const { chosen, skipped } = withinBudget(reached)
console.log(`${chosen.length} of ${chosen.length + skipped.length} test files that the change reaches:`)
const { status } = spawnSync(process.execPath, [VITEST, 'run', ...chosen], { cwd: root, stdio: 'inherit' })
if (skipped.length > 0) {
  console.log(
    `Not run, for they would exceed the time budget: ${skipped.length} test files. npm test runs all, and npm run proof what takes longer.`,
  )
}
finish(status ?? 1)

function branchPoint() {
  for (const main of ['origin/main', 'main']) {
    const [commit] = git('merge-base', 'HEAD', main)
    if (commit !== undefined) return commit
  }
  return 'HEAD'
}

/** Test files that import a changed file, directly or not. */
async function reachedTests() {
  const { output } = await collect(process.execPath, [VITEST, 'list', '--filesOnly', '--changed', base])
  const files = output.split('\n').filter((line) => line.endsWith('.test.ts'))
  return [...new Set([...files, ...[...changed].filter((file) => /^test\/.*\.test\.ts$/.test(file)), ALWAYS])]
}

function withinBudget(files) {
  const durations = lastDurations()
  const names = new Set([...changed].map((file) => basename(file).replace(/(\.test)?\.\w+$/, '')))
  const cost = (file) => durations.get(file) ?? UNKNOWN_MS
  const distance = (file) =>
    file === ALWAYS || changed.has(file) ? 0 : names.has(basename(file, '.test.ts')) ? 1 : 2
  const order = files.toSorted((a, b) => distance(a) - distance(b) || cost(a) - cost(b))
  let sum = 0
  // The changed tests and the test named for a changed file always run.
  const chosen = order.filter((file) => {
    sum += cost(file)
    return sum <= BUDGET_MS || distance(file) < 2
  })
  return { chosen, skipped: files.filter((file) => !chosen.includes(file)) }
}

/** Milliseconds of each test file in the last run of `npm test`. */
function lastDurations() {
  try {
    const { testResults } = JSON.parse(readFileSync(`${root}.cache/test-report.json`, 'utf8'))
    return new Map(testResults.map((file) => [relative(root, file.name), file.endTime - file.startTime]))
  } catch {
    return new Map()
  }
}

/** Runs one check and prints its output when it fails. */
async function run(name, file, args) {
  const { ok, output } = await collect(file, args)
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}`)
  if (!ok) console.log(output)
  return ok
}

function collect(file, args) {
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

function finish(code) {
  console.log(
    `${code === 0 ? 'All good' : 'Failed'} after ${((performance.now() - started) / 1000).toFixed(0)} s.`,
  )
  process.exit(code)
}
