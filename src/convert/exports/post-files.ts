import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFolder } from './export-kind.ts'

/** A page of a content folder is at most 5 MiB. The markup of an editor is larger than its Markdown. */
const MAX_POST = 16 * 1024 * 1024

/** Names of the posts of an export, a file of HTML each, in order. Links are left out. */
export function postFiles(folder: string): readonly string[] {
  const posts = join(folder, 'posts')
  if (!isFolder(posts)) return []
  return readdirSync(posts, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map(({ name }) => name)
    .sort()
}

/** The text of a post. Null when it is missing, a link, or larger than 16 MiB. */
export function postText(folder: string, name: string): string | null {
  const file = join(folder, 'posts', name)
  const found = lstatSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= MAX_POST ? readFileSync(file, 'utf8') : null
}
