import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads the text of every file of a built site, by key, sorted. Ignores the build state. */
export async function readSiteFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const keys = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((key) => !key.startsWith('.quoin/'))
    .sort()
  const texts = keys.map(async (key) => [key, await readFile(join(folder, key), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}
