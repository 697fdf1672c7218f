import type { DocsContext, NavNode, NavStep } from '../../domain/live-page.ts'
import type { DocsView, NavNodeView, StepView } from '../../theme/view.ts'
import { type Links, linkPrefix } from '../links/links.ts'
import { navKeys, navPagePath } from './docs-nav.ts'

/** @param path of the page that shows the navigation. */
export function docsView(
  { home, branch, breadcrumbs, previous, next }: DocsContext,
  path: string,
  links: Links,
): DocsView {
  const [navFile] = navKeys(home)
  return {
    tree: navNodeViews(branch, path, links),
    breadcrumbs: breadcrumbs.map((step) => stepView(step, links)),
    previous: previous === null ? null : stepView(previous, links),
    next: next === null ? null : stepView(next, links),
    navFile: links.file(navFile),
    navPage: links.page(navPagePath(home)),
  }
}

/** @param current path of the page being rendered; null when the tree does not contain it. */
export function navNodeViews(
  nodes: readonly NavNode[],
  current: string | null,
  links: Links,
): readonly NavNodeView[] {
  const begin = linkPrefix(links)
  return nodes.map((node) => {
    const isCurrent = current !== null && node.path === current
    if (node.children.length > 0 || isCurrent)
      return nodeView(node, isCurrent, navNodeViews(node.children, current, links), links)
    const last = leafCache.get(node)
    if (last?.begin === begin) return last.view
    const view = nodeView(node, false, [], links)
    leafCache.set(node, { begin, view })
    return view
  })
}

/** Cache of the previous page's views: siblings show the same leaves with the same links. */
const leafCache = new WeakMap<NavNode, { readonly begin: string; readonly view: NavNodeView }>()

function nodeView(
  node: NavNode,
  current: boolean,
  children: readonly NavNodeView[],
  links: Links,
): NavNodeView {
  return {
    title: node.title,
    href: node.path === null ? null : links.page(node.path),
    badge: node.badge,
    current,
    open: children.length > 0,
    children,
    more: node.more ?? false,
  }
}

function stepView({ title, path }: NavStep, links: Links): StepView {
  return { title, href: path === null ? null : links.page(path) }
}
