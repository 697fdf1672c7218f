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

/** The files of this commit: every nth one, so that files of a folder, which cost alike, are spread over the shares. */
export function shareOfCommit(kind, parts, files) {
  const first = choiceOf(kind, parts)
  return files.filter((_, index) => index % parts === first)
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
  const digest = createHash('sha256')
    .update(stdout.trim() + kind)
    .digest()
  return digest.readUInt32BE() % count
}
