import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** All files of a folder by path, hidden ones too. Bytes are read as Latin-1. */
export async function listFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = files.sort().map(async (file) => [relative(folder, file), await readFile(file, 'latin1')])
  return Object.fromEntries(await Promise.all(texts))
}
