// What continuous integration runs of a long list: another share for each commit, so that a few commits run it all.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The number of parts in a setting such as `1/36`; null for none. */
export function partsOf(setting) {
  const [, parts] = /^1\/(\d+)$/.exec(setting ?? '') ?? []
  return parts === undefined ? null : Number(parts)
}

/** A function that says whether a name belongs to the share of this commit. Names of each kind are shared apart. */
export function shareOfCommit(kind, parts) {
  const chosen = choiceOf(kind, parts)
  return (name) => numberOf(name) % parts === chosen
}

/** One of the values, another for each commit. */
export function oneOfCommit(kind, values) {
  return values[choiceOf(kind, values.length)]
}

/** A seed of property tests, another for each commit. */
export function seedOfCommit() {
  return choiceOf('property tests', 2 ** 31)
}

function choiceOf(kind, count) {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`A share of ${kind} needs a clone: the commit chooses it.`)
  return numberOf(stdout.trim() + kind) % count
}

function numberOf(text) {
  return createHash('sha256').update(text).digest().readUInt32BE()
}
