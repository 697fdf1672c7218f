import type { PageId } from '../domain/ids.ts'
import type { LiveFacts, NavNode } from '../domain/live-page.ts'
import { withoutOuterSlashes } from '../domain/route.ts'
import type { DocsNavEntry } from '../domain/settings.ts'
import type { DocsFamily, Member } from './docs-family.ts'

/**
 * The navigation trees of a family with a hand-made order laid over it: what the order names stands
 * where it says, with the unnamed pages beneath it following; the rest comes after.
 *
 * @returns trees by the subroute they belong to.
 */
export function layOut(
  family: DocsFamily,
  docsNav: readonly DocsNavEntry[],
): ReadonlyMap<string, readonly NavNode[]> {
  const named = new Set<PageId>()
  const entries = docsNav.length === 0 ? [] : resolveEntries(docsNav, findBySlug(family.members), named)
  const trees = new Map<string, NavNode[]>()

  for (const [home, nodes] of orderedNodes(entries)) append(trees, home, nodes)
  for (const member of family.members) {
    if (member.isTop && !named.has(member.page.id)) append(trees, member.home, [naturalNode(member)])
  }
  return trees

  function orderedNodes(entries: readonly ResolvedEntry[]): ReadonlyMap<string, readonly NavNode[]> {
    const nodes = new Map<string, NavNode[]>()
    for (const entry of entries) {
      const inner = orderedNodes(entry.children)
      if (entry.member !== null) {
        const { home } = entry.member
        append(nodes, home, [pageNode(entry, entry.member, inner.get(home) ?? [])])
      }
      for (const [home, children] of inner) {
        if (home !== entry.member?.home) append(nodes, home, [groupNode(entry, children)])
      }
    }
    return nodes
  }

  function pageNode({ title, badge }: ResolvedEntry, { page }: Member, ordered: readonly NavNode[]): NavNode {
    return {
      title,
      path: page.path,
      badge: badge ?? page.badge,
      children: [...ordered, ...naturalChildren(page)],
    }
  }

  function naturalNode({ page }: Member): NavNode {
    return { title: page.title, path: page.path, badge: page.badge, children: naturalChildren(page) }
  }

  function naturalChildren(page: LiveFacts): readonly NavNode[] {
    return family
      .childrenOf(page)
      .filter((child) => !named.has(child.page.id))
      .map(naturalNode)
  }
}

function groupNode({ title, badge }: ResolvedEntry, children: readonly NavNode[]): NavNode {
  return { title, path: null, badge, children }
}

function append(trees: Map<string, NavNode[]>, home: string, nodes: readonly NavNode[]): void {
  const before = trees.get(home)
  if (before === undefined) trees.set(home, [...nodes])
  else for (const node of nodes) before.push(node)
}

interface ResolvedEntry {
  readonly title: string
  readonly badge: string | null
  /** Null for a group without a page, and where the slug is unknown or was named before. */
  readonly member: Member | null
  readonly children: readonly ResolvedEntry[]
}

/** @param named collects the pages as they are met, from the top down. */
function resolveEntries(
  docsNav: readonly DocsNavEntry[],
  find: (slug: string) => Member | null,
  named: Set<PageId>,
): readonly ResolvedEntry[] {
  return docsNav.map(({ title, slug, badge, children }) => {
    const found = slug === undefined ? null : find(slug)
    const member = found === null || named.has(found.page.id) ? null : found
    if (member !== null) named.add(member.page.id)
    return { title, badge: badge ?? null, member, children: resolveEntries(children ?? [], find, named) }
  })
}

/** By `subroute/slug`, or by the slug alone where it is unique. */
function findBySlug(members: readonly Member[]): (slug: string) => Member | null {
  const byAddress = new Map<string, Member>()
  const bySlug = new Map<string, Member | null>()
  for (const member of members) {
    const { subroute, slug } = member.page
    byAddress.set(subroute === '' ? slug : `${subroute}/${slug}`, member)
    bySlug.set(slug, bySlug.has(slug) ? null : member)
  }
  return (written) => {
    const slug = withoutOuterSlashes(written).toLowerCase()
    return byAddress.get(slug) ?? bySlug.get(slug) ?? null
  }
}
