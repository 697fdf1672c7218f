import { relative, sep } from 'node:path'

/**
 * One line for each file or folder of a content folder that is left out.
 *
 * @param out the output folder; null for none.
 */
export async function ignoredLines(folder: string, out: string | null): Promise<readonly string[]> {
  const { listFiles } = await import('../content-folder/list-files.ts')
  const { ignored } = listFiles(folder, out === null ? null : relative(folder, out).replaceAll(sep, '/'))
  return ignored.map((path) => `ignored    ${path}`)
}
