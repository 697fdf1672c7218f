import { basename } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { tagAddress } from '../../domain/tag.ts'
import { brandingOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { EntryOutline, ExportedEntry, ExportedSite } from '../exports/exported-site.ts'
import { describedAuthors } from '../page/site-authors.ts'
import { NO_CATEGORY, wordpressEntry } from './entry.ts'
import { wordpressLists } from './lists.ts'
import { wordpressMenus } from './menus.ts'
import { childText, wxrElements } from './read-wxr.ts'
import { type ItemOutline, readWordpressTables, type WordpressTables } from './tables.ts'

/** Kinds of items without content of their own. */
const NO_CONTENT =
  /^(?:revision|wp_|custom_css|customize_changeset|oembed_cache|user_request|nav_menu_item|attachment)/

/** An export of WordPress (WXR 1.1 and 1.2). */
export function readWordpress(path: string): ExportedSite {
  const tables = readWordpressTables(path)
  const { site, items } = tables
  const file = basename(path)
  const url = (site.get('wp:base_blog_url') || site.get('link') || '').replace(/\/+$/, '')
  const pathOf = (address: string) => ownPath(address, url)
  const shown = items.filter(
    ({ kind, status }) => /^(?:post|page)$/.test(kind) && !/^(?:trash|auto-draft|inherit)$/.test(status),
  )
  const outlines = withPostList(
    shown.map((item) => outlineOf(item, shown, pathOf)),
    shown,
  )
  const known = new Map(outlines.map((outline) => [outline.id, outline]))
  const paths = new Map(shown.map((item) => [item.id, known.get(item.id)?.address ?? '']))
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
    lists: wordpressLists(tables, outlines),
    redirects: new Map(),
    authors: describedWriters(tables),
    menus: menus.labels,
    uploads: [...tables.attachments.values()]
      .map((each) => pathOf(each.url))
      .filter((each) => each.startsWith('/'))
      .map((each) => each.slice(1)),
    pathOfQuery: (query) => paths.get(/[?&](?:p|page_id)=(\d+)/.exec(query)?.[1] ?? '') ?? null,
    diagnostics: otherItems(items, tables, file),
    entries: function* (): Generator<ExportedEntry> {
      for (const element of wxrElements(path)) {
        const outline =
          element.name === 'item' ? known.get(childText(element, 'wp:post_id').trim()) : undefined
        if (outline !== undefined) yield wordpressEntry(element, outline, tables)
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
    : `${parentPath(item, all)}/${item.slug || tagAddress(item.title) || `post-${item.id}`}/`
  return {
    id: item.id,
    line: item.line,
    type: item.kind === 'page' ? 'page' : 'article',
    address,
    ...(hidden !== null && { hidden }),
  }
}

/** The path of the pages above a page that states no address. */
function parentPath(item: ItemOutline, all: readonly ItemOutline[]): string {
  const slugs: string[] = []
  let at = all.find(({ id }) => id === item.parent)
  while (item.kind === 'page' && at !== undefined && slugs.length < 10) {
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

/** Items of kinds that plugins and themes add, by their kind. */
function otherItems(
  items: readonly ItemOutline[],
  { categories }: WordpressTables,
  file: string,
): readonly Diagnostic[] {
  const counts = new Map<string, number>()
  for (const { kind, status } of items) {
    const isTrash = /^(?:trash|auto-draft)$/.test(status) && /^(?:post|page)$/.test(kind)
    if (isTrash || (!/^(?:post|page)$/.test(kind) && !NO_CONTENT.test(kind))) {
      const name = isTrash ? `\`${kind}\` with the status \`${status}\`` : `\`${kind}\``
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [
    ...[...counts].map(([name, count]) =>
      diagnostic(
        'QN-NOT-CONVERTED',
        file,
        `${count === 1 ? '1 item' : `${count} items`} of the kind ${name} ${count === 1 ? 'is' : 'are'} left out: posts and pages are converted.`,
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
