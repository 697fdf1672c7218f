import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { textIfReadable } from '../../content-folder/file-text.ts'

/**
 * Identifies the commit that the repository around a folder has checked out; null outside of a repository. It differs
 * after every commit and checkout: dates of files come from commits, which change no file. Reads the few files in which
 * git keeps it, because starting git takes longer than the rest of the comparison.
 */
export function gitHead(folder: string): string | null {
  const own = gitFolder(resolve(folder))
  if (own === null) return null
  // A linked working tree has a HEAD of its own, and shares branches with the others.
  const shared = resolve(own, textIfReadable(join(own, 'commondir'))?.trim() ?? '.')
  const head = textIfReadable(join(own, 'HEAD'))?.trim() ?? ''
  const [, branch] = /^ref: (.+)$/.exec(head) ?? []
  const commit = branch === undefined ? null : textIfReadable(join(shared, branch))
  // A branch without a file is a line of one of these.
  const packed = commit === null ? ['packed-refs', 'reftable/tables.list'] : []
  const others = [
    ...packed.map((name) => textIfReadable(join(shared, name))),
    textIfReadable(join(own, 'reftable/tables.list')),
  ]
  return JSON.stringify([head, commit, ...others, textIfReadable(join(shared, 'shallow'))])
}

/** The folder in which the nearest repository around a folder keeps its state. */
function gitFolder(folder: string): string | null {
  // In a linked working tree and in a submodule, `.git` is a file.
  const [, elsewhere = '.git'] = /^gitdir: (.+)$/m.exec(textIfReadable(join(folder, '.git')) ?? '') ?? []
  const found = resolve(folder, elsewhere)
  if (existsSync(join(found, 'HEAD'))) return found
  return dirname(folder) === folder ? null : gitFolder(dirname(folder))
}
