import { posix } from 'node:path'
import { decoded } from '../../domain/author-url.ts'
import { normalForm } from '../../domain/normal-form.ts'
import { bareOf, readName } from './export-names.ts'

/** Finds the page, database or file of the export that a link names. Null for anything else. */
export type FindLinked = (target: string, from: string) => string | null

const NOTION = /^https?:\/\/(?:www\.|app\.)?(?:notion\.so|notion\.com|[a-z0-9-]+\.notion\.site)\//i
const DASHED_ID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/**
 * @param paths of the export.
 * @param entries pages and databases.
 */
export function linkFinder(paths: readonly string[], entries: readonly string[]): FindLinked {
  const files = new Map(paths.map((path) => [normalForm(path), path]))
  const ids = new Map(
    entries.flatMap((path): [string, string][] => {
      const { id } = readName(bareOf(path))
      return id === null ? [] : [[id, path]]
    }),
  )
  return (target, from) => {
    const bare = target.replace(/[?#].*$/s, '')
    if (NOTION.test(bare)) return ids.get(idIn(bare)) ?? null
    if (bare === '' || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(bare)) return null
    const wanted = decoded(bare)
    const path = posix.join(posix.dirname(from), wanted)
    // Systems write letters with marks in two ways, and names that are cut differ from those in links.
    const found = files.get(normalForm(path)) ?? null
    const named = readName(bareOf(wanted)).id
    return found ?? (named === null || !/\.(?:md|csv)$/.test(wanted) ? null : (ids.get(named) ?? null))
  }
}

/** The address of a file of the export as links from its top write it. */
export function addressIn(path: string): string {
  const encoded = path
    .split('/')
    .map((name) => encodeURIComponent(name).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29')))
  return `/${encoded.join('/')}`
}

/** The id at the end of an address of Notion, without dashes. Empty for none. */
function idIn(address: string): string {
  const [id = ''] = DASHED_ID.exec(address) ?? []
  return id.replaceAll('-', '').toLowerCase()
}
