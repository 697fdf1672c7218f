import { fieldsOf } from './fields.ts'
import { compare, type Live, pagesOf, type World } from './world.ts'

/* The navigation of docs pages, by their live versions. */

interface DocsPage {
  readonly index: number
  readonly title: string
  readonly slug: string
  readonly subroute: string
  readonly path: string
  readonly order: number
  readonly parent: number | null
}

type Sibling = Pick<DocsPage, 'order' | 'title' | 'slug' | 'subroute'>

interface Node {
  /** Null for a folder without a page. */
  readonly page: DocsPage | null
  readonly title: string
  readonly sibling: Sibling
  readonly children: readonly Node[]
}

/** What a live docs page shows of others, as one text. */
export function navAround(world: World, project: number, index: number): string {
  const pages = pagesOf(world, project).flatMap((page) => docsPageOf(page.index, page.live))
  const subroutes = new Set(pages.map(({ subroute }) => subroute))
  const self = pages.find((page) => page.index === index)
  if (self === undefined) throw new RangeError(`Page ${index} is not in the navigation.`)
  const home = homeOf(self)
  const tree = nodesIn(
    pages.filter((page) => parentOf(page, pages) === null && homeOf(page) === home),
    home,
  )
  const reading = readingOrder(tree)
  const place = reading.findIndex(({ page }) => page?.index === index)
  return JSON.stringify([
    home,
    wayTo(tree, index).map(({ siblings }) => siblings.map(shown)),
    wayTo(tree, index).map(({ node }) => shown(node)),
    reading[place]?.children.map(shown),
    [reading[place - 1], reading[place + 1]].map((step) => step && [step.title, step.page?.path]),
  ])

  /** The shortest subroute with docs pages around that of its topmost ancestor. */
  function homeOf(page: DocsPage): string {
    const above = parentOf(page, pages)
    const parent = pages.find((other) => other.index === above)
    if (parent !== undefined) return homeOf(parent)
    const segments = page.subroute.split('/')
    const prefixes = segments.map((_, at) => segments.slice(0, at + 1).join('/'))
    return prefixes.find((prefix) => subroutes.has(prefix)) ?? page.subroute
  }

  /** @param folder that of their parent or home. The model has no folder that is more than one below another. */
  function nodesIn(siblings: readonly DocsPage[], folder: string): readonly Node[] {
    const nameOf = ({ subroute }: DocsPage) =>
      folder !== '' && subroute.startsWith(`${folder}/`) ? subroute.slice(folder.length + 1) : null
    const names = [...new Set(siblings.map(nameOf))].filter((name) => name !== null)
    const own = siblings.filter((page) => nameOf(page) === null).map((page) => pageNode(page, page, []))
    const folders = names.map((name) =>
      folderNode(
        name,
        siblings.filter((page) => nameOf(page) === name),
      ),
    )
    return [...own, ...folders].sort((a, b) => bySiblingOrder(a.sibling, b.sibling))
  }

  function folderNode(name: string, inside: readonly DocsPage[]): Node {
    const head = inside.find(({ slug }) => slug === 'index')
    const others = inside.filter((page) => page !== head).map((page) => pageNode(page, page, []))
    const children = others.sort((a, b) => bySiblingOrder(a.sibling, b.sibling))
    if (head !== undefined) return pageNode(head, { ...head, slug: name }, children)
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    return { page: null, title, sibling: { order: 0, title, slug: name, subroute: '' }, children }
  }

  function pageNode(page: DocsPage, sibling: Sibling, more: readonly Node[]): Node {
    const { index: parent, slug, subroute, title } = page
    const folder = slug === 'index' ? subroute : [subroute, slug].filter((part) => part !== '').join('/')
    const below = nodesIn(
      pages.filter((other) => parentOf(other, pages) === parent),
      folder,
    )
    return { page, title, sibling, children: [...below, ...more] }
  }
}

function shown({ title, page, children }: Node) {
  return [title, page?.path ?? null, children.length > 0]
}

function readingOrder(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [...(node.page === null ? [] : [node]), ...readingOrder(node.children)])
}

/** The nodes from the top down to that of the page, each with its siblings. Empty if it is not among them. */
function wayTo(
  siblings: readonly Node[],
  index: number,
): readonly { readonly siblings: readonly Node[]; readonly node: Node }[] {
  for (const node of siblings) {
    if (node.page?.index === index) return [{ siblings, node }]
    const below = wayTo(node.children, index)
    if (below.length > 0) return [{ siblings, node }, ...below]
  }
  return []
}

const NATURAL = new Intl.Collator('en', { numeric: true })

function bySiblingOrder(a: Sibling, b: Sibling): number {
  return (
    a.order - b.order ||
    NATURAL.compare(a.title, b.title) ||
    NATURAL.compare(a.slug, b.slug) ||
    compare(a.subroute, b.subroute)
  )
}

function docsPageOf(index: number, live: Live | null): readonly DocsPage[] {
  if (live === null || live.content.type !== 'docs') return []
  const { title, slug, subroute } = live.content
  const { nav_order: order, parent } = fieldsOf(live.content, null)
  return [{ index, title, slug, subroute, path: live.path, order, parent }]
}

/** A parent that is not live, or a descendant of the page, counts as none. */
function parentOf({ index, parent }: DocsPage, pages: readonly DocsPage[]): number | null {
  const at = (place: number | null) => pages.find((page) => page.index === place)
  const seen = new Set<number>()
  for (let above = at(parent); above !== undefined && !seen.has(above.index); above = at(above.parent)) {
    if (above.index === index) return null
    seen.add(above.index)
  }
  return at(parent)?.index ?? null
}
