import type { PageId } from '../../domain/ids.ts'
import type { LiveFacts, NavNode } from '../../domain/live-page.ts'
import { withoutOuterSlashes } from '../../domain/route.ts'
import type { DocsNavEntry } from '../../domain/settings.ts'
import { languageOfScope, namedBySlug } from '../../domain/version.ts'
import { humanise } from '../../page-text/humanise.ts'
import { bySiblingOrder, type DocsFamily, type Sibling } from './docs-family.ts'

/** The orders that an owner gives to the navigation of a site. */
export interface NavOrders {
  /** The order of the site. */
  readonly docsNav: readonly DocsNavEntry[]
  /** Order of the default language, and of pages in no language. */
  readonly main: readonly DocsNavEntry[]
  /** Orders of the other languages. */
  readonly languages: readonly LanguageOrder[]
}

export interface LanguageOrder {
  readonly code: string
  /** The name of the scope of its latest version. See `NavScope`. */
  readonly latest: string
  /** The language's own order; null uses the order of the site, by translation. */
  readonly docsNav: readonly DocsNavEntry[] | null
}

/**
 * Builds the navigation trees of a family in the given orders. Unnamed pages follow the named ones under the same
 * parent.
 *
 * @returns trees by subroute.
 */
export function buildTrees(
  { pages, topLevel, childrenOf, homeOf, foldersOf }: DocsFamily,
  orders: NavOrders,
): ReadonlyMap<string, readonly NavNode[]> {
  const { entries, named } = entriesOf(orders, pages)
  const trees = new Map<string, NavNode[]>()

  for (const [home, nodes] of orderedNodes(entries)) append(trees, home, nodes)
  for (const [home, top] of topLevel) append(trees, home, naturalNodes(top))
  return trees

  function orderedNodes(entries: readonly ResolvedEntry[]): ReadonlyMap<string, readonly NavNode[]> {
    const nodes = new Map<string, NavNode[]>()
    for (const entry of entries) {
      const inner = orderedNodes(entry.children)
      const own = entry.page === null ? null : homeOf(entry.page)
      if (entry.page !== null && own !== null) {
        append(nodes, own, [pageNode(entry, entry.page, inner.get(own) ?? [])])
      }
      for (const [home, children] of inner) {
        if (home !== own) append(nodes, home, [groupNode(entry, children)])
      }
    }
    return nodes
  }

  function pageNode(
    { title, badge, icon }: ResolvedEntry,
    page: LiveFacts,
    ordered: readonly NavNode[],
  ): NavNode {
    return {
      title,
      path: page.path,
      badge: badge ?? page.badge,
      ...(icon !== undefined && { icon }),
      children: [...ordered, ...naturalNodes(childrenOf(page))],
    }
  }

  function naturalNodes(siblings: readonly LiveFacts[]): readonly NavNode[] {
    if (siblings.length === 0) return NO_NODES
    return nodesIn(named.size === 0 ? siblings : siblings.filter(({ id }) => !named.has(id)), 0)
  }

  /**
   * The nodes of pages under one parent. A folder without a page of its own is a group; a page with the address of the
   * folder heads it.
   *
   * @param depth number of folders around these pages, which have the same names for all of them.
   */
  function nodesIn(siblings: readonly LiveFacts[], depth: number): readonly NavNode[] {
    const folders = new Map<string, LiveFacts[]>()
    const pages: LiveFacts[] = []
    for (const page of siblings) {
      const name = foldersOf(page)[depth]
      const inFolder = name === undefined ? pages : folders.get(name)
      if (name !== undefined && inFolder === undefined) folders.set(name, [page])
      else inFolder?.push(page)
    }
    if (folders.size === 0) return pages.map((page) => naturalNode(page))
    const heads = headsOf(folders, pages)
    const others = pages.filter((page) => heads.get(page.slug) !== page)
    const placed = [
      ...others.map((page): PlacedNode => ({ sibling: page, node: naturalNode(page) })),
      ...[...folders].map(([name, inFolder]) => folderNode(name, inFolder, heads.get(name), depth)),
    ]
    return placed.sort((a, b) => bySiblingOrder(a.sibling, b.sibling)).map(({ node }) => node)
  }

  /** @param page the page with the address of the folder. Without one the folder's index heads it. */
  function folderNode(
    name: string,
    inFolder: readonly LiveFacts[],
    page: LiveFacts | undefined,
    depth: number,
  ): PlacedNode {
    const isIndex = (page: LiveFacts) => page.slug === 'index' && foldersOf(page).length === depth + 1
    const head = page ?? inFolder.find(isIndex)
    const children = nodesIn(
      inFolder.filter((page) => page !== head),
      depth + 1,
    )
    if (head !== undefined) return { sibling: { ...head, slug: name }, node: naturalNode(head, children) }
    const title = folderTitle(name)
    const sibling = { navOrder: 0, title, slug: name, subroute: '' }
    return { sibling, node: groupNode({ title, badge: null, icon: undefined }, children) }
  }

  function naturalNode(page: LiveFacts, more: readonly NavNode[] = NO_NODES): NavNode {
    const { title, path, badge } = page
    const children = naturalNodes(childrenOf(page))
    return { title, path, badge, children: more.length === 0 ? children : [...children, ...more] }
  }
}

/** A node, and the fields that decide its place among its siblings. */
interface PlacedNode {
  readonly sibling: Sibling
  readonly node: NavNode
}

/**
 * The pages with the address of a folder, by name of the folder. A sibling from elsewhere can have the same slug.
 *
 * @param folders the pages in each folder.
 */
function headsOf(
  folders: ReadonlyMap<string, readonly LiveFacts[]>,
  pages: readonly LiveFacts[],
): ReadonlyMap<string, LiveFacts> {
  const heads = new Map<string, LiveFacts>()
  for (const page of pages) {
    const [inFolder] = folders.get(page.slug) ?? []
    const address = page.subroute === '' ? page.slug : `${page.subroute}/${page.slug}`
    if (inFolder !== undefined && `${inFolder.subroute}/`.startsWith(`${address}/`))
      heads.set(page.slug, page)
  }
  return heads
}

/** The name of a folder that has no page, e.g. `Getting started` for `01-getting-started`. */
function folderTitle(name: string): string {
  return humanise(name.replace(/^\d+[-_.]+(?=.)/, ''))
}

/** Shared by all pages without children. */
const NO_NODES: readonly NavNode[] = []

function groupNode(
  { title, badge, icon }: Pick<ResolvedEntry, 'title' | 'badge' | 'icon'>,
  children: readonly NavNode[],
): NavNode {
  return { title, path: null, badge, ...(icon !== undefined && { icon }), children }
}

function append(trees: Map<string, NavNode[]>, home: string, nodes: readonly NavNode[]): void {
  if (nodes.length === 0) return
  const before = trees.get(home)
  if (before === undefined) trees.set(home, [...nodes])
  else for (const node of nodes) before.push(node)
}

interface ResolvedEntry {
  readonly title: string
  readonly badge: string | null
  readonly icon: string | undefined
  /** The page of the entry; null for a group without a page, an unknown slug, or a page that was named before. */
  readonly page: LiveFacts | null
  readonly children: readonly ResolvedEntry[]
}

interface Resolved {
  readonly entries: readonly ResolvedEntry[]
  readonly named: ReadonlySet<PageId>
}

/** The entries of all languages. A language with an order of its own names its pages first. */
function entriesOf({ docsNav, main, languages }: NavOrders, pages: readonly LiveFacts[]): Resolved {
  const named = new Set<PageId>()
  const isOrdered = languages.some((language) => (language.docsNav ?? []).length > 0)
  if (docsNav.length + main.length === 0 && !isOrdered) return { entries: [], named }
  const find = findBySlug(pages, ({ navScope }) => navScope?.isMain === true)
  const own = languages.flatMap(({ code, latest, docsNav }) =>
    docsNav === null ? [] : resolveEntries(docsNav, findIn(pagesIn(code, pages), latest, find), named),
  )
  const ofMain = resolveEntries(main, find, named)
  const written = docsNav === main ? ofMain : resolveEntries(docsNav, find, new Set())
  const inherited = languages.flatMap((language) => {
    const its = language.docsNav === null ? pagesIn(language.code, pages) : []
    // If the order of the site names pages of the language, it orders them directly.
    const isThere = its.length === 0 || its.some(({ id }) => named.has(id))
    return isThere ? [] : translatedEntries(written, byKey(its), named)
  })
  return { entries: [...own, ...ofMain, ...inherited], named }
}

function pagesIn(code: string, pages: readonly LiveFacts[]): readonly LiveFacts[] {
  return pages.filter(({ navScope }) => navScope !== undefined && languageOfScope(navScope) === code)
}

/** Finds pages of a language as `findBySlug` does, or by the name of a translation in another language. */
function findIn(
  own: readonly LiveFacts[],
  latest: string,
  findAny: (slug: string) => LiveFacts | null,
): (slug: string) => LiveFacts | null {
  const find = findBySlug(own, ({ navScope }) => navScope?.name === latest)
  const translations = byKey(own)
  return (slug) => find(slug) ?? translations.get(findAny(slug)?.translated?.key ?? '') ?? null
}

/** Maps each key to its page; of two pages with one key, the one with the first path counts. */
function byKey(pages: readonly LiveFacts[]): ReadonlyMap<string, LiveFacts> {
  const found = new Map<string, LiveFacts>()
  for (const page of pages) {
    const key = page.translated?.key
    const other = key === undefined ? undefined : found.get(key)
    if (key !== undefined && (other === undefined || page.path < other.path)) found.set(key, page)
  }
  return found
}

/** The entries with the translations of their pages, which have their own titles. */
function translatedEntries(
  entries: readonly ResolvedEntry[],
  translations: ReadonlyMap<string, LiveFacts>,
  named: Set<PageId>,
): readonly ResolvedEntry[] {
  return entries.map((entry) => {
    const found = entry.page?.translated && translations.get(entry.page.translated.key)
    const page = found === undefined || named.has(found.id) ? null : found
    if (page !== null) named.add(page.id)
    const { title, badge } = page ?? entry
    return {
      title,
      badge: badge ?? entry.badge,
      icon: entry.icon,
      page,
      children: translatedEntries(entry.children, translations, named),
    }
  })
}

/** @param named collects the pages in the order in which they are named. */
function resolveEntries(
  docsNav: readonly DocsNavEntry[],
  find: (slug: string) => LiveFacts | null,
  named: Set<PageId>,
): readonly ResolvedEntry[] {
  return docsNav.map(({ title, slug, badge, icon, children }) => {
    const found = slug === undefined ? null : find(slug)
    const page = found === null || named.has(found.id) ? null : found
    if (page !== null) named.add(page.id)
    return { title, badge: badge ?? null, icon, page, children: resolveEntries(children ?? [], find, named) }
  })
}

/** Finds pages by `subroute/slug`, or by a slug with only one possible meaning. */
function findBySlug(
  pages: readonly LiveFacts[],
  isMain: (page: LiveFacts) => boolean,
): (slug: string) => LiveFacts | null {
  const byAddress = new Map<string, LiveFacts>()
  const bySlug = new Map<string, LiveFacts[]>()
  for (const page of pages) {
    const { subroute, slug } = page
    byAddress.set(subroute === '' ? slug : `${subroute}/${slug}`, page)
    const same = bySlug.get(slug)
    if (same === undefined) bySlug.set(slug, [page])
    else same.push(page)
  }
  return (written) => {
    const slug = withoutOuterSlashes(written).toLowerCase()
    const [first = null, ...others] = namedBySlug(bySlug.get(slug) ?? [], isMain)
    return byAddress.get(slug) ?? (others.length === 0 ? first : null)
  }
}
