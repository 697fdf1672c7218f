import type { SourceLists } from '../conversion.ts'
import { foldedPath } from '../exports/entry-routes.ts'
import type { EntryOutline, LinkTarget } from '../exports/exported-site.ts'
import { escapeHtml } from '../html/escape-html.ts'
import type { ItemOutline, WordpressTables } from './tables.ts'

/** Addresses by number or name. Source: https://developer.wordpress.org/reference/classes/wp_query/#parameters. */
const NUMBER = /[?&](p|page_id|attachment_id|cat|tag|author)=([\w-]+)/

/** The address of a link, as editors write it. */
const HREF = /(?<=\bhref=")[^"<>]+(?=")/g

/**
 * Finds what an address shows that is no address of an entry: a short one such as `/?p=12` and `/?cat=3`, and the page
 * of a picture, which has nothing but the picture.
 *
 * @param known entries by their numbers. @param pathOf the path of an address of the site.
 */
export function linkTargets(
  tables: WordpressTables,
  { terms }: SourceLists,
  known: ReadonlyMap<string, EntryOutline>,
  pathOf: (address: string) => string,
): (path: string, query: string) => LinkTarget | null {
  const { attachments, categories, tags, authors } = tables
  const stated = statedTargets(tables, known, pathOf)
  const categoryNames = new Map([...categories.values()].map(({ id, name }) => [id, name]))
  const authorNames = new Map([...authors.values()].map(({ id, name }) => [id, name]))
  const listOf = (field: string, name: string | undefined): LinkTarget | null => {
    const lists = terms.find((each) => each.field === field)
    return name === undefined || lists === undefined
      ? null
      : { kind: 'link', address: lists.pathsOf(name).list }
  }
  return (path, query) => {
    const own = stated.get(query === '' ? foldedPath(path) : path + query)
    if (own !== undefined) return own
    const [, name = '', value = ''] = NUMBER.exec(query) ?? []
    if (name === '' || !/^\/(?:index\.php)?$/.test(path)) return null
    if (name === 'cat') return listOf('tags', categoryNames.get(value))
    if (name === 'tag') return listOf('tags', tags.get(value)?.name)
    if (name === 'author') return listOf('author', authorNames.get(value))
    const address = known.get(value)?.address
    if (address !== undefined) return { kind: 'link', address }
    const url = attachments.get(value)?.url
    return url === undefined ? null : { kind: 'file', address: url }
  }
}

/** HTML in which links to pages of single files lead to the files: pictures are often in a link to their own page. */
export function withFileLinks(
  html: string,
  targetOf: (path: string, query: string) => LinkTarget | null,
  pathOf: (address: string) => string,
): string {
  return html.replace(HREF, (written) => {
    const [, path = '', query = ''] = /^(\/[^?#]*)(\?[^#]*)?/.exec(pathOf(written)) ?? []
    const target = path === '' ? null : targetOf(path, query)
    return target?.kind === 'file' ? escapeHtml(target.address) : written
  })
}

/** Pictures by the paths of their pages, and entries by a `link` with a query. */
function statedTargets(
  { items, attachments }: WordpressTables,
  known: ReadonlyMap<string, EntryOutline>,
  pathOf: (address: string) => string,
): ReadonlyMap<string, LinkTarget> {
  const pages = new Set([...known.values()].map(({ address }) => foldedPath(address)))
  const files = [...attachments.values()].flatMap(({ link, url }): [string, LinkTarget][] => {
    const path = pathOf(link)
    return /^\/[^?]/.test(path) && !pages.has(foldedPath(path))
      ? [[foldedPath(path), { kind: 'file', address: url }]]
      : []
  })
  const entries = items.flatMap(({ id, link }: ItemOutline): [string, LinkTarget][] => {
    const [path, address] = [pathOf(link), known.get(id)?.address]
    return path.includes('?') && address !== undefined ? [[path, { kind: 'link', address }]] : []
  })
  return new Map([...files, ...entries])
}
