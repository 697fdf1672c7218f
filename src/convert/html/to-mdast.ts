import type { Element, ElementContent } from 'hast'
import { type Handle, type State, toMdast } from 'hast-util-to-mdast'
import type { BlockContent, DefinitionContent, Html, Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import { codeOf } from './code.ts'
import { attribute, element, hasClass, isElement, isVisible, lineOf, textOf } from './elements.ts'
import { headingId } from './heading-id.ts'
import { fullAddress, sourceOf } from './pictures.ts'
import type { HtmlOptions, ReportHtml } from './rewrite.ts'
import './mdast-nodes.ts'

/** Text that a letter or digit may be lowered or raised to without tags. */
const SCRIPT = /^[\p{L}\p{N}+−=().,-]{1,30}$/u

/** Says that a node is part of a paragraph, which its type does not say. */
const PHRASING = { hName: 'span' }

const SIZE_LIKE = /\|(?=\s*\d{1,4}(?:\s*[x×]\s*\d{1,4})?\s*$)/

/** Turns rewritten HTML into the syntax tree of Markdown. */
export function htmlToMdast(
  nodes: readonly ElementContent[],
  options: HtmlOptions,
  report: ReportHtml,
): Root {
  const tree = toMdast(
    { type: 'root', children: withStops(nodes) },
    { document: true, handlers: handlersFor(options, report), quotes: ['“”', '‘’'] },
  )
  return tree.type === 'root' ? tree : { type: 'root', children: [tree as RootContent] }
}

/** The most nodes in a row that end no search for the text after white space. */
const MAX_UNSTOPPED = 50

/**
 * Adds empty paragraphs to long rows of nodes without text. For each node, the library searches those after it for
 * text: it took half a minute for 4,000 players in a row.
 */
function withStops(nodes: readonly ElementContent[]): ElementContent[] {
  let unstopped = 0
  return nodes.flatMap((node) => {
    const own = isElement(node) ? { ...node, children: withStops(node.children) } : node
    unstopped = isVisible(node) && !isElement(node, 'q-line', 'q-note') ? 0 : unstopped + 1
    if (unstopped < MAX_UNSTOPPED) return [own]
    unstopped = 0
    return [own, element('p', {})]
  })
}

function handlersFor(options: HtmlOptions, report: ReportHtml): Record<string, Handle> {
  const heading: Handle = (state, node: Element) => {
    const depth = Math.max(2, Number(node.tagName.slice(1))) as 2 | 3 | 4 | 5 | 6
    const children = phrasing(state, node)
    const id = headingId(node)
    if (id !== '') children.push(inlineHtml(` {#${id}}`))
    return { type: 'heading', depth, children }
  }
  return {
    a: (state, node: Element) => link(state, node),
    img: (_, node: Element) => image(node),
    pre: (_, node: Element) => codeOf(node),
    h1: heading,
    h2: heading,
    h3: heading,
    h4: heading,
    h5: heading,
    h6: heading,
    sub: (state, node: Element) => script(state, node, '~'),
    sup: (state, node: Element) => script(state, node, '^'),
    mark: (state, node: Element) => ({ type: 'marked', children: phrasing(state, node), data: PHRASING }),
    kbd: tagged,
    ruby: tagged,
    rt: tagged,
    rp: tagged,
    abbr: (state, node: Element) =>
      attribute(node, 'title') === '' ? state.all(node) : tagged(state, node, undefined),
    // A line under text would look like a link.
    u: (state, node: Element) => state.all(node),
    // A player of a page is a line of its own.
    'q-line': (state, node: Element) => ({
      type: 'directiveLine',
      before: attribute(node, 'before'),
      after: attribute(node, 'after'),
      children: phrasing(state, node),
    }),
    'q-formula': (_, node: Element) => ({
      type: 'paragraph',
      children: [inlineHtml(`$$${attribute(node, 'tex')}$$`)],
    }),
    'q-term': (state, node: Element) => ({ type: 'paragraph', children: phrasing(state, oneLine(node)) }),
    'q-definition': (state, node: Element) => ({ type: 'definitionText', children: flow(state, node) }),
    'q-note-mark': (_, node: Element) => ({
      type: 'footnoteReference',
      identifier: attribute(node, 'name'),
    }),
    'q-note': (state, node: Element) => ({
      type: 'footnoteDefinition',
      identifier: attribute(node, 'name'),
      children: flow(state, node),
    }),
    'q-anchor': (_, node: Element) => inlineHtml(`<a id="${attribute(node, 'name')}"></a>`),
  }

  function link(state: State, node: Element): Nodes[] | Nodes {
    const children = state.all(node) as PhrasingContent[]
    const written = attribute(node, 'href').trim()
    if (written === '' || !isVisible(node)) return children
    const url = options.addressOf(written, 'link')
    if (url === null) {
      report('QN-PARTLY-CONVERTED', 'A link with an address that pages cannot have stays as its text.')
      return children
    }
    const title = lineOf({ type: 'text', value: attribute(node, 'title') })
    const isRepeated = title === '' || title === lineOf(node)
    return { type: 'link', url, title: isRepeated ? null : title, children }
  }

  function image(node: Element): Nodes {
    const written = sourceOf(node)
    const url = written === '' ? null : options.addressOf(written, 'file')
    // A number after a bar would be the size of the picture.
    const alt = lineOf({ type: 'text', value: attribute(node, 'alt') }).replace(SIZE_LIKE, '/')
    const title = lineOf({ type: 'text', value: attribute(node, 'title') })
    if (url === null) {
      if (written !== '')
        report('QN-PARTLY-CONVERTED', 'A picture with an address that pages cannot have stays as its text.')
      return { type: 'text', value: [alt, title].filter((text) => text !== '').join(' ') }
    }
    return { type: 'image', url, alt: `${alt}${sizeOf(node, url)}`, title: title === '' ? null : title }
  }

  /** The size of a picture of another site, so that the page does not move when it loads. */
  function sizeOf(node: Element, url: string): string {
    const [width, height] = [attribute(node, 'width'), attribute(node, 'height')]
    const isWhole = /^\d{1,4}$/.test(width) && /^\d{1,4}$/.test(height)
    const isRemote = /^https?:/.test(url) && fullAddress(url) === url
    return isWhole && isRemote && Number(width) > 0 && Number(height) > 0 ? `|${width}x${height}` : ''
  }

  function script(state: State, node: Element, sign: '~' | '^'): Nodes[] | Nodes {
    const text = textOf(node)
    if (isElement(node.children[0], 'a') || node.children.some((child) => isElement(child)))
      return tagged(state, node, undefined) as Nodes[]
    return SCRIPT.test(text)
      ? { type: 'scriptText', sign, value: text, data: PHRASING }
      : (tagged(state, node, undefined) as Nodes[])
  }
}

/** An element that stays one: Markdown has none like it, and readers of the text know it. */
const tagged: Handle = (state, node: Element) => {
  const title = attribute(node, 'title')
  const stated = title === '' ? '' : ` title="${title.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
  const inside = state.all(node)
  if (inside.length === 0) return []
  return [inlineHtml(`<${node.tagName}${stated}>`), ...inside, inlineHtml(`</${node.tagName}>`)]
}

/** A tag in a line of text. */
function inlineHtml(value: string): Html {
  return { type: 'html', value, data: PHRASING }
}

function phrasing(state: State, node: Element): PhrasingContent[] {
  return state.all(node) as PhrasingContent[]
}

function flow(state: State, node: Element): (BlockContent | DefinitionContent)[] {
  return state.toFlow(state.all(node) as RootContent[]) as (BlockContent | DefinitionContent)[]
}

/** Blocks in a term are parts of its line. */
function oneLine(node: Element): Element {
  const isBlock = (child: ElementContent) =>
    isElement(child, 'p', 'div') || (isElement(child) && hasClass(child, 'block'))
  return element(
    'span',
    {},
    node.children.flatMap((child) =>
      isElement(child) && isBlock(child)
        ? [...oneLine(child).children, { type: 'text', value: ' ' } as const]
        : [child],
    ),
  )
}
