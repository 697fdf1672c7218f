import type { DocsContext, NavNode, NavStep } from '../../domain/live-page.ts'
import type { DocsView, NavNodeView, StepView } from '../../theme/view.ts'
import { linkPrefix } from '../links/links.ts'
import type { Rendering } from '../page/rendering.ts'
import { iconView } from '../sections/icon-view.ts'
import { navKeys, navPagePath } from './docs-nav.ts'

/** @param path of the page that shows the navigation. */
export function docsView(
  { home, branch, breadcrumbs, previous, next }: DocsContext,
  path: string,
  rendering: Rendering,
): DocsView {
  const { links } = rendering
  const [navFile] = navKeys(home)
  return {
    tree: navNodeViews(branch, path, rendering),
    breadcrumbs: breadcrumbs.map((step) => stepView(step, rendering)),
    previous: previous === null ? null : stepView(previous, rendering),
    next: next === null ? null : stepView(next, rendering),
    navFile: links.file(navFile),
    navPage: links.page(navPagePath(home)),
  }
}

/** @param current path of the page being rendered; null when the tree does not contain it. */
export function navNodeViews(
  nodes: readonly NavNode[],
  current: string | null,
  rendering: Rendering,
): readonly NavNodeView[] {
  const begin = linkPrefix(rendering.links)
  return nodes.map((node) => {
    const isCurrent = current !== null && node.path === current
    if (node.children.length > 0 || isCurrent)
      return nodeView(node, isCurrent, navNodeViews(node.children, current, rendering), rendering)
    const last = leafCache.get(node)
    if (last?.begin === begin) return last.view
    const view = nodeView(node, false, [], rendering)
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
  rendering: Rendering,
): NavNodeView {
  return {
    title: node.title,
    href: node.path === null ? null : rendering.links.page(node.path),
    badge: node.badge,
    iconHtml: node.icon === undefined ? null : iconView({ icon: node.icon }, 'docs_nav', rendering).iconHtml,
    current,
    open: children.length > 0,
    children,
    more: node.more ?? false,
  }
}

function stepView({ title, path }: NavStep, { links }: Rendering): StepView {
  return { title, href: path === null ? null : links.page(path) }
}
