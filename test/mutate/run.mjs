// Changes one small thing of the source at a time and runs the tests that reach it, nearest first, until one fails: a
// change that no test notices shows what is not tested. Takes a sample, because all changes would take days.
//   npm run mutate -- [--seed <number>] [--area <name>] [--count <changes per area>] [--seconds <per change>] [--json]
// Changes run in a copy of the working tree. Changes that the type checker refuses are not counted. A test file that
// fails without the change too notices nothing, and is named at the end. Tests that start the built program do not see a
// change. A survivor may be equivalent to the source; the reader decides. With `--seconds`, a change that is not noticed
// in that time is undecided; the report says how many files were left out.
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mutationsOf } from './mutations.mjs'
import { reachingTests } from './reaching-tests.mjs'

const AREAS = {
  domain: ['domain', 'fields', 'page-text', 'sections'],
  publish: ['publish', 'db', 'storage', 'jobs'],
  services: ['services'],
  http: ['http'],
  render: ['render', 'renderer', 'theme'],
  limits: ['limits', 'secrets', 'webhooks'],
}
/** A change that makes the tests hang is noticed. */
const LIMIT_MS = 10 * 60_000
/** Test files that run at once: few at first, since most changes are noticed by the nearest tests. */
const FIRST_FILES = 4
const MOST_FILES = 32

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    area: { type: 'string' },
    count: { type: 'string', default: '20' },
    seconds: { type: 'string', default: 'Infinity' },
    json: { type: 'boolean', default: false },
  },
})
const areas = options.area === undefined ? Object.keys(AREAS) : [options.area]
if (areas.some((area) => !Object.hasOwn(AREAS, area))) {
  console.error(`Unknown area ${options.area}. Areas: ${Object.keys(AREAS).join(', ')}.`)
  process.exit(2)
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const testsOf = reachingTests(
  root,
  files.filter((file) => /^(src|test)\/.*\.m?ts$/.test(file)),
)
/** Whether each test file that failed also fails without a change. */
const broken = new Map()
const copy = copyOfWorkingTree()
let runner = null
process.on('exit', () => {
  endRunner()
  rmSync(copy, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

if (!(await passesTypes('types'))) {
  console.error('The types do not hold without a change. Fix them first: npm run types')
  process.exit(1)
}
const results = []
for (const area of areas) results.push(...(await runArea(area)))
report()
process.exit()

async function runArea(area) {
  const done = []
  for (const mutation of shuffled(candidates(area), `${options.seed} ${area}`)) {
    if (done.length === Number(options.count)) break
    const result = await tried(mutation)
    if (result === null) continue
    done.push({ area, ...result })
    say(`${area} ${done.length}/${options.count} ${describe(result)}`)
  }
  return done
}

function candidates(area) {
  return AREAS[area].flatMap((folder) =>
    filesIn(join(root, 'src', folder)).flatMap((file) => {
      const path = file.slice(root.length)
      const source = readFileSync(file, 'utf8')
      return mutationsOf(source).map((mutation) => ({ ...mutation, path, source }))
    }),
  )
}

/** @returns null if the type checker refuses the change. */
async function tried(mutation) {
  const { path, source, start, end, replacement } = mutation
  const file = join(copy, path)
  const changed = source.slice(0, start) + replacement + source.slice(end)
  writeFileSync(file, changed)
  try {
    cpSync(join(copy, 'types'), join(copy, 'changed-types'))
    if (!(await passesTypes('changed-types'))) return null
    const began = performance.now()
    const outcome = await outcomeOf(path, { source, changed })
    return { ...mutation, ...outcome, seconds: Math.round((performance.now() - began) / 1000) }
  } finally {
    writeFileSync(file, source)
  }
}

/** Runs the tests that reach a changed file, in growing groups, until one fails. */
async function outcomeOf(path, { source, changed }) {
  const until = performance.now() + Number(options.seconds) * 1000
  let waiting = testsOf(path).filter((test) => broken.get(test) !== true)
  for (let count = FIRST_FILES; waiting.length > 0; count = Math.min(2 * count, MOST_FILES)) {
    if (performance.now() > until) return { outcome: 'undecided', left: waiting }
    const group = waiting.slice(0, count)
    const { failed, ran } = await runTests(group, path)
    if (failed !== null && !(await failsWithout(failed, path, { source, changed })))
      return { outcome: 'killed', by: failed }
    const done = failed === null ? group : [failed, ...ran]
    waiting = waiting.filter((test) => !done.includes(test))
  }
  return { outcome: 'survived' }
}

/** Whether a test file fails without the change too. */
async function failsWithout(test, path, { source, changed }) {
  if (!broken.has(test)) {
    writeFileSync(join(copy, path), source)
    broken.set(test, (await runTests([test], path)).failed !== null)
    writeFileSync(join(copy, path), changed)
  }
  return broken.get(test)
}

/** @returns the first file that failed, null if all passed, and the files that ran. Tests that hang count as failed. */
async function runTests(group, path) {
  runner ??= await startRunner()
  const over = new AbortController()
  const { signal } = over
  const answered = once(runner, 'message', { signal }).then(([answer]) => answer)
  const ended = once(runner, 'exit', { signal }).then(() => null)
  for (const waiting of [answered, ended]) waiting.catch(() => {})
  const timer = setTimeout(endRunner, LIMIT_MS)
  runner.send({ files: group.map((file) => join(copy, file)), changed: join(copy, path) })
  const answer = await Promise.race([answered, ended])
  over.abort()
  clearTimeout(timer)
  if (answer === null) runner = null
  return answer ?? { failed: group[0], ran: [] }
}

async function startRunner() {
  const child = fork(join(copy, 'test/mutate/test-runner.mjs'), {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
  })
  await once(child, 'message')
  return child
}

function endRunner() {
  if (runner?.exitCode === null) process.kill(-runner.pid, 'SIGKILL')
}

async function passesTypes(state) {
  const args = [
    'node_modules/typescript/bin/tsc',
    '--project',
    'tsconfig.mutate.json',
    '--tsBuildInfoFile',
    state,
  ]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code === 0
}

function copyOfWorkingTree() {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-mutate-'))
  for (const file of files) cpSync(join(root, file), join(folder, file))
  // The generated client is in no list of git.
  cpSync(join(root, 'src/client'), join(folder, 'src/client'), { recursive: true })
  // The types of tests are not checked: they hold the same sources.
  const types = { extends: './tsconfig.json', compilerOptions: { incremental: true }, include: ['src'] }
  writeFileSync(join(folder, 'tsconfig.mutate.json'), JSON.stringify(types))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Shuffles by a seed: the same seed takes the same sample of the same source. */
function shuffled(items, seed) {
  let state = [...seed].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7)
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  const copied = [...items]
  for (let last = copied.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[copied[last], copied[other]] = [copied[other], copied[last]]
  }
  return copied
}

function describe({ path, source, start, end, replacement, kind, outcome, by, left, seconds }) {
  const line = source.slice(0, start).split('\n').length
  const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 60)
  const how = by ? ` by ${by}` : left ? `, ${left.length} test files left out` : ''
  return `${outcome} ${path}:${line} ${kind}: ${short(source.slice(start, end))} → ${short(replacement)} (${seconds} s${how})`
}

function say(line) {
  if (options.json) console.error(line)
  else console.log(line)
}

function report() {
  const unnoticed = results.filter(({ outcome }) => outcome !== 'killed')
  const shares = areas.map((area) => {
    const own = results.filter((result) => result.area === area)
    return { area, total: own.length, killed: own.filter(({ outcome }) => outcome === 'killed').length }
  })
  const failing = [...broken].filter(([, isBroken]) => isBroken).map(([file]) => file)
  if (options.json) {
    const survivors = unnoticed.map(describe)
    console.log(JSON.stringify({ seed: options.seed, areas: shares, survivors, failing }, null, 2))
    return
  }
  console.log(`\nSeed ${options.seed}`)
  for (const { area, killed, total } of shares)
    console.log(
      `${area}: ${killed} of ${total} noticed (${Math.round((100 * killed) / Math.max(1, total))} %)`,
    )
  for (const result of unnoticed) console.log(describe(result))
  for (const file of failing) console.log(`fails without a change: ${file}`)
}
