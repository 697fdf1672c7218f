import { posix } from 'node:path'
import type { SourceFiles, SourceSite } from '../conversion.ts'

/** The longest text that a page may include in all. Texts that include others would multiply. */
const MAX_INCLUDED_LENGTH = 20 * 1024 * 1024

/** The path of a file that another file names. */
export function pathNamed({ contentRoot, aliases }: SourceSite, from: string, name: string): string {
  for (const [alias, folder] of aliases ?? [])
    if (name.startsWith(alias)) return posix.join(folder, name.slice(alias.length))
  return /^@?\//.test(name)
    ? posix.normalize(contentRoot + name.replace(/^@?\//, ''))
    : posix.join(posix.dirname(from), name)
}

/** Reads the texts that a page includes, and adds their paths. Null beyond the limit of a page. */
export function includedTexts(
  files: SourceFiles,
  pathOf: (name: string, from?: string) => string,
  included: Set<string>,
): (name: string, from?: string) => string | null {
  let length = 0
  return (name, from) => {
    if (length > MAX_INCLUDED_LENGTH) return null
    const path = pathOf(name, from)
    const text = files.text(path)
    if (text !== null) included.add(path)
    length += text?.length ?? 0
    return length > MAX_INCLUDED_LENGTH ? null : text
  }
}
