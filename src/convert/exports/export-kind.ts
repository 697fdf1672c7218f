import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportName } from './exported-site.ts'
import { chunksOf } from './read-chunks.ts'

/** Posts of an export of Medium that are looked at. All of them are pages of the same kind. */
const LOOKED_AT = 3

/** The kind of an export: of a file by its beginning, of a folder by its files. Null for anything else. */
export function exportKind(path: string): ExportName | null {
  return isFolder(path) ? kindOfFolder(path) : kindOfFile(path)
}

/** Reports whether exports of this kind are folders, with a file for each post. */
export function isFolderExport(name: ExportName): boolean {
  return name === 'substack' || name === 'medium'
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function kindOfFile(path: string): ExportName | null {
  const start = beginning(path)
  if (start.startsWith('{')) return 'ghost'
  return /^<\?xml|<rss\b/.test(start) ? 'wordpress' : null
}

function kindOfFolder(folder: string): ExportName | null {
  const entries = readdirSync(folder, { withFileTypes: true })
  const has = (name: string) => entries.some((entry) => entry.name === name)
  if (!has('posts')) return null
  if (has('posts.csv') && /^"?post_id"?,/.test(beginning(join(folder, 'posts.csv')))) return 'substack'
  const posts = join(folder, 'posts')
  const pages = isFolder(posts) ? readdirSync(posts) : []
  const isMedium = pages
    .filter((name) => name.endsWith('.html'))
    .slice(0, LOOKED_AT)
    .some((name) => /<article[^<>]*\bh-entry\b/.test(beginning(join(posts, name))))
  return isMedium ? 'medium' : null
}

/** The first characters of a file. */
function beginning(path: string): string {
  const [chunk] = chunksOf(path)
  return Buffer.from(chunk?.subarray(0, 64 * 1024) ?? [])
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
}
