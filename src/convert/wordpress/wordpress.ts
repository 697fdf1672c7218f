import { basename } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { tagAddress } from '../../domain/tag.ts'
import { brandingOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { EntryOutline, ExportedEntry, ExportedSite } from '../exports/exported-site.ts'
import { describedAuthors } from '../page/site-authors.ts'
import { NO_CATEGORY, wordpressEntry } from './entry.ts'
import { sortItems } from './item-kinds.ts'
import { linkTargets, withFileLinks } from './link-targets.ts'
import { wordpressLists } from './lists.ts'
import { wordpressMenus } from './menus.ts'
import { childText, wxrElements } from './read-wxr.ts'
import { type ItemOutline, readWordpressTables, type WordpressTables } from './tables.ts'

/** An export of WordPress (WXR 1.1 and 1.2). */
export function readWordpress(path: string): ExportedSite {
  const tables = readWordpressTables(path)
  const { site, items } = tables
  const file = basename(path)
  const url = (site.get('wp:base_blog_url') || site.get('link') || '').replace(/\/+$/, '')
  const pathOf = (address: string) => ownPath(address, url)
  const { shown, diagnostics } = sortItems(items, pathOf, file)
  const outlines = withPostList(
    shown.map((item) => outlineOf(item, shown, pathOf)),
    shown,
  )
  const known = new Map(outlines.map((outline) => [outline.id, outline]))
  const lists = wordpressLists(tables, outlines)
  const targetOf = linkTargets(tables, lists, known, pathOf)
  const menus = wordpressMenus(tables, (address) => pathOf(address))
  return {
    name: 'wordpress',
    title: 'WordPress',
    file,
    url: /^https?:\/\//.test(url) ? url : null,
    fields: defined({
      name: site.get('title') || undefined,
      url: /^https?:\/\//.test(url) ? url : undefined,
      meta_description: site.get('description') || undefined,
      branding: brandingOf(site.get('language') ?? ''),
      nav_links: menus.links.length === 0 ? undefined : menus.links,
    }),
    outlines,
    lists,
    redirects: new Map(),
    authors: describedWriters(tables),
    menus: menus.labels,
    uploads: [...tables.attachments.values()]
      .map((each) => pathOf(each.url))
      .filter((each) => each.startsWith('/'))
      .map((each) => each.slice(1)),
    targetOf,
    diagnostics: [
      ...diagnostics,
      ...termLosses(tables, file),
      ...numberedGuids(shown, file),
      ...filePages(tables, pathOf, file),
    ],
    entries: function* (): Generator<ExportedEntry> {
      for (const element of wxrElements(path)) {
        const outline =
          element.name === 'item' ? known.get(childText(element, 'wp:post_id').trim()) : undefined
        if (outline === undefined) continue
        const entry = wordpressEntry(element, outline, tables)
        yield { ...entry, html: withFileLinks(entry.html, targetOf, pathOf) }
      }
    },
  }
}

/** The path of an address of the site. Others stay as they are. */
function ownPath(address: string, url: string): string {
  const bare = (each: string) => each.replace(/^https?:\/\/(?:www\.)?/i, '')
  const [own, written] = [bare(url), bare(address)]
  if (own === '' || written === address || !written.toLowerCase().startsWith(own.toLowerCase()))
    return address
  const rest = written.slice(own.length)
  return rest === '' || /^[/?#]/.test(rest) ? `/${rest.replace(/^\/+/, '')}` : address
}

function outlineOf(
  item: ItemOutline,
  all: readonly ItemOutline[],
  pathOf: (address: string) => string,
): EntryOutline {
  const hidden = reasonToHide(item)
  const stated = pathOf(item.link)
  const isPath = stated.startsWith('/') && !/[?#]/.test(stated)
  const address = isPath
    ? stated
    : `${folderOf(item, all)}/${item.slug || tagAddress(item.title) || `post-${item.id}`}/`
  return {
    id: item.id,
    line: item.line,
    type: item.kind === 'post' ? 'article' : 'page',
    address,
    ...(hidden !== null && { hidden }),
  }
}

/** The folder of an item that states no address: the pages above it, or the kind that a plugin added. */
function folderOf(item: ItemOutline, all: readonly ItemOutline[]): string {
  if (item.kind !== 'page') return item.kind === 'post' ? '' : `/${item.kind}`
  const slugs: string[] = []
  let at = all.find(({ id }) => id === item.parent)
  while (at !== undefined && slugs.length < 10) {
    slugs.unshift(at.slug)
    const parent: string = at.parent
    at = all.find(({ id }) => id === parent)
  }
  return slugs.map((slug) => `/${slug}`).join('')
}

function reasonToHide({ status, hasPassword }: ItemOutline): string | null {
  if (hasPassword) return 'It has a password.'
  if (status === 'publish') return null
  return status === 'future' ? 'It is scheduled.' : `Its status is \`${status}\`.`
}

/** A page without a text next to a front page shows the posts. */
function withPostList(
  outlines: readonly EntryOutline[],
  items: readonly ItemOutline[],
): readonly EntryOutline[] {
  if (!outlines.some(({ address, hidden }) => address === '/' && hidden === undefined)) return outlines
  const empty = items.find(({ kind, isEmpty, status }) => kind === 'page' && isEmpty && status === 'publish')
  return outlines.map((outline) =>
    outline.id === empty?.id && outline.address !== '/' ? { ...outline, isPostList: true } : outline,
  )
}

/** Users by short names, without their mail addresses. */
function describedWriters({ authors }: WordpressTables): JsonObject {
  // The short name is that of their list, to which the one of WordPress redirects.
  const rows = [...authors.values()].map(({ login, name, bio }): [string, JsonObject] => [
    tagAddress(name) || login,
    defined({ name, description: bio || undefined }),
  ])
  return describedAuthors(Object.fromEntries(rows))
}

/** Short addresses by number. A redirect is for a path, which these share with the front page. */
function numberedGuids(items: readonly ItemOutline[], file: string): readonly Diagnostic[] {
  const numbered = items.filter(({ hasNumberedGuid }) => hasNumberedGuid)
  const [first] = numbered
  if (first === undefined) return []
  const count = numbered.length === 1 ? '1 post or page has' : `${numbered.length} posts and pages have`
  const message = `${count} a short address by number as guid, such as /?p=${first.id}. Redirects hold no query, so these addresses show the front page. Links of texts lead to the pages.`
  return [diagnostic('QN-NOT-CONVERTED', file, message, { line: first.line })]
}

/** Pages that show one file each. */
function filePages(
  { attachments }: WordpressTables,
  pathOf: (address: string) => string,
  file: string,
): readonly Diagnostic[] {
  const pages = [...attachments.values()].filter(({ link }) => /^\/[^?]/.test(pathOf(link)))
  const [first] = pages
  if (first === undefined) return []
  const count = pages.length === 1 ? '1 page' : `${pages.length} pages`
  const message = `${count} of one file each, such as ${pathOf(first.link)}, ${pages.length === 1 ? 'is' : 'are'} left out. Links to them lead to the files.`
  return [diagnostic('QN-NOT-CONVERTED', file, message, { line: first.line })]
}

/** Terms that become tags, and those that are left out. */
function termLosses({ categories, taxonomies }: WordpressTables, file: string): readonly Diagnostic[] {
  return [
    ...[...taxonomies].map(([name, { terms, line }]) =>
      diagnostic(
        'QN-PARTLY-CONVERTED',
        file,
        `${terms.length === 1 ? '1 term' : `${terms.length} terms`} of the taxonomy \`${name}\` ${terms.length === 1 ? 'becomes a tag' : 'become tags'}.`,
        { line },
      ),
    ),
    ...(categories.has(NO_CATEGORY)
      ? [
          diagnostic(
            'QN-NOT-CONVERTED',
            file,
            'The category `uncategorized` is left out: WordPress gives it to posts that have none.',
          ),
        ]
      : []),
  ]
}
