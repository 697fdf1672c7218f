// Builds by Quoin only: sealed against plain, highlighted code against plain code, with and without cached tokens, and one changed page on sites of two
// sizes against an empty Node process.
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { moveAside, timed } from './builds.mjs'
import { writeCorpus } from './corpus.mjs'
import { folder, median, root } from './quoin.mjs'
import { note } from './table.mjs'

const [SMALL, LARGE = 10 * SMALL] = (process.argv[3] ?? '1000,10000').split(',').map(Number)
const ROUNDS = Number(process.argv[4] ?? 5)
/** Pages of the site on which costs per page are compared. On a small site the start would dominate. */
const MIDDLE = 4_000
/** Longer than the resolution of file system timestamps. */
const SETTLED_MS = 2_500
const NODE = [process.execPath]

export async function benchOwnBuilds() {
  const middle = newSite('middle', MIDDLE, false)
  const coloured = newSite('coloured', MIDDLE, true)
  const keyFile = join(folder, 'content-key')
  writeFileSync(keyFile, randomBytes(32).toString('base64'))
  const key = ['--data-mode', '--key-file', keyFile]
  const colds = await buildRounds({
    plain: cold(middle),
    sealed: cold({ ...middle, out: join(folder, 'sealed') }, key),
    coloured: cold(coloured),
    cached: { ...cold(coloured), before: () => moveAllButTokens(coloured.out) },
  })
  show(`sealed against plain, ${MIDDLE} pages`, colds.sealed, colds.plain, 'at most 1.10')
  show(`highlighted code against plain, ${MIDDLE} pages, cold`, colds.coloured, colds.plain, 'at most 2.2')
  show(
    `highlighted code against plain, ${MIDDLE} pages, with cached tokens`,
    colds.cached,
    colds.plain,
    'at most 1.15',
  )
  showProcessor(`highlighted code, ${MIDDLE} pages, cold`, colds.coloured, colds.plain, 'at most 2.2')
  showProcessor(
    `highlighted code, ${MIDDLE} pages, with cached tokens`,
    colds.cached,
    colds.plain,
    'at most 1.15',
  )
  const more = median(colds.coloured.map((run, n) => run.memory - colds.plain[n].memory))
  note(
    `peak memory of highlighted code, beyond plain, ${MIDDLE} pages`,
    `${more.toFixed(0)} MB`,
    'at most 200 MB',
  )

  const small = newSite('small', SMALL, false)
  const large = newSite('large', LARGE, false)
  // Change detection does not trust the fingerprints of files that were just written.
  await setTimeout(SETTLED_MS)
  const firsts = await buildRounds({ small: cold(small), large: cold(large) })
  const again = await buildRounds({ bare: null, small: changed(small), large: changed(large) })
  const [one, other] = [`one page changed of ${LARGE}`, `of ${SMALL}`]
  show(`${one}, against an empty Node process`, again.large, again.bare, 'at most 10')
  show(`${one}, against ${other}`, again.large, again.small, 'at most 2.5')
  const peak = median(firsts.large.map((run) => run.memory))
  const memory = peak / median(firsts.small.map((run) => run.memory))
  note(`peak memory of a cold build, ${LARGE} pages against ${SMALL}`, memory.toFixed(2), 'at most 1.5')
  console.log(`peak memory, ${LARGE} pages against ${SMALL}: ${memory.toFixed(2)} (${peak.toFixed(0)} MB)`)
}

export async function benchStart() {
  const runs = { bare: [], version: [] }
  for (let i = 0; i < 25; i++) {
    runs.bare.push(await timed({ command: [...NODE, '-e', '0'], cwd: folder }))
    runs.version.push(await timed({ command: [...NODE, `${root}dist/cli.js`, '--version'], cwd: folder }))
  }
  show('quoin --version against an empty Node process', runs.version, runs.bare, 'at most 1.6')
}

/** A build without anything of an earlier one. */
export function cold(site, more = []) {
  return { before: () => moveAside(site.out), more, site }
}

/** The next build is a cold one but for the tokens of code. */
function moveAllButTokens(out) {
  const tokens = join(out, '.quoin/tokens')
  const saved = `${out}-tokens`
  if (existsSync(tokens)) cpSync(tokens, saved, { recursive: true })
  moveAside(out)
  if (existsSync(saved)) cpSync(saved, tokens, { recursive: true })
}

function newSite(name, pages, languages) {
  const content = join(folder, name)
  mkdirSync(content, { recursive: true })
  const paths = writeCorpus(content, { pages, languages })
  writeFileSync(join(content, 'site.yaml'), 'name: Bench\nurl: https://bench.example\n')
  return { content, out: join(folder, `${name}-out`), page: join(content, `${paths[7]}.md`) }
}

export function build({ content, out }, more = []) {
  return { command: [...NODE, `${root}dist/cli.js`, 'build', content, '--out', out, ...more], cwd: folder }
}

function changed(site) {
  const before = readFileSync(site.page, 'utf8')
  let n = 0
  return { before: () => writeFileSync(site.page, `${before}\nChanged ${n++} times.\n`), more: [], site }
}

/** Runs each kind of build in turn. @returns the runs of each. */
export async function buildRounds(kinds) {
  const runs = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]))
  for (let i = 0; i < ROUNDS; i++) {
    const turn = Object.entries(kinds)
    for (const [name, kind] of i % 2 === 0 ? turn : turn.toReversed()) {
      kind?.before()
      runs[name].push(
        await timed(
          kind === null ? { command: [...NODE, '-e', '0'], cwd: folder } : build(kind.site, kind.more),
        ),
      )
    }
  }
  return runs
}

export function showProcessor(what, ours, theirs, goal = '') {
  const ratio = median(ours.map((run, n) => run.cpu / theirs[n].cpu)).toFixed(2)
  console.log(`processor time of ${what}, against plain: ${ratio}${goal && ` (goal ${goal})`}`)
  note(`processor time of ${what}, against plain`, ratio, goal)
}

export function show(what, ours, theirs, goal = '') {
  const ratio = median(ours.map((run, n) => run.wall / theirs[n].wall)).toFixed(2)
  const seconds = (runs) => `${median(runs.map((run) => run.wall)).toFixed(2)} s`
  console.log(`${what}: ${ratio}${goal && ` (goal ${goal})`}; ${seconds(ours)} and ${seconds(theirs)}`)
  note(what, ratio, goal)
}
