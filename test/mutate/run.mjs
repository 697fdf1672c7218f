// Changes one small thing of the source at a time and runs the tests: a change that no test notices shows what is not
// tested. Takes a sample, because all changes would take days.
//   npm run mutate -- [--seed <number>] [--area <name>] [--count <changes per area>] [--json]
// First runs all tests without a change. Changes run in a copy of the working tree. Changes that the type checker refuses are not counted. A survivor may be
// equivalent to the source; the reader decides.
import { execFileSync, spawn } from 'node:child_process'
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mutationsOf } from './mutations.mjs'

const AREAS = {
  domain: ['domain', 'fields', 'page-text', 'sections'],
  publish: ['publish', 'db', 'storage', 'jobs'],
  services: ['services'],
  http: ['http'],
  render: ['render', 'renderer', 'theme'],
  limits: ['limits', 'secrets', 'webhooks'],
}
/** A change that makes the tests hang is noticed. */
const LIMIT_MS = 15 * 60_000

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    area: { type: 'string' },
    count: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})
const areas = options.area === undefined ? Object.keys(AREAS) : [options.area]
if (areas.some((area) => !Object.hasOwn(AREAS, area))) {
  console.error(`Unknown area ${options.area}. Areas: ${Object.keys(AREAS).join(', ')}.`)
  process.exit(2)
}

const copy = copyOfWorkingTree()
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

say('Running the tests without a change. With a failure, every change would seem to be noticed.')
if ((await run('node_modules/vitest/vitest.mjs', ['run', '--bail=1', '--reporter=dot'])) !== 0) {
  console.error('The tests fail, or take too long, without a change. Fix them first: npm test')
  process.exit(1)
}

const results = []
for (const area of areas) results.push(...(await runArea(area)))
report()

async function runArea(area) {
  const done = []
  for (const mutation of shuffled(candidates(area), `${options.seed} ${area}`)) {
    if (done.length === Number(options.count)) break
    const result = await tried(mutation)
    if (result === null) continue
    done.push({ area, ...result })
    say(`${area} ${done.length}/${options.count} ${result.outcome} ${describe(result)}`)
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
  writeFileSync(file, source.slice(0, start) + replacement + source.slice(end))
  try {
    if ((await run('node_modules/typescript/bin/tsc', [])) !== 0) return null
    const began = performance.now()
    const isNoticed = await isNoticedBySome(path)
    return { ...mutation, outcome: isNoticed ? 'killed' : 'survived', ms: performance.now() - began }
  } finally {
    writeFileSync(file, source)
  }
}

/** The nearest tests first: most changes are noticed there. */
async function isNoticedBySome(path) {
  const mirror = path.replace(/^src/, 'test')
  const own = mirror.replace(/\.ts$/, '.test.ts')
  const near = [own, dirname(mirror)].filter((place) => existsSync(join(copy, place)))
  for (const args of [...near.map((place) => ['run', place]), ['related', path, '--run']]) {
    const exit = await run('node_modules/vitest/vitest.mjs', [
      ...args,
      '--bail=1',
      '--reporter=dot',
      '--passWithNoTests',
    ])
    if (exit !== 0) return true
  }
  return false
}

/** @returns the exit code; null if it was ended. */
async function run(script, args) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), LIMIT_MS)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  return code
}

function copyOfWorkingTree() {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-mutate-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter(Boolean))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
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

function describe({ path, source, start, end, replacement, kind }) {
  const line = source.slice(0, start).split('\n').length
  const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 60)
  return `${path}:${line} ${kind}: ${short(source.slice(start, end))} → ${short(replacement)}`
}

function say(line) {
  if (options.json) console.error(line)
  else console.log(line)
}

function report() {
  const survivors = results.filter(({ outcome }) => outcome === 'survived')
  const shares = areas.map((area) => {
    const own = results.filter((result) => result.area === area)
    return { area, total: own.length, killed: own.filter(({ outcome }) => outcome === 'killed').length }
  })
  if (options.json) {
    console.log(
      JSON.stringify({ seed: options.seed, areas: shares, survivors: survivors.map(describe) }, null, 2),
    )
    return
  }
  console.log(`\nSeed ${options.seed}`)
  for (const { area, killed, total } of shares)
    console.log(
      `${area}: ${killed} of ${total} noticed (${Math.round((100 * killed) / Math.max(1, total))} %)`,
    )
  for (const survivor of survivors) console.log(`survived ${describe(survivor)}`)
}
