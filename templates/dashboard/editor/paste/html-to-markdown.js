import { inlineMarkdown } from './inline-markdown.js'
import { listMarkdown, wordList } from './list-markdown.js'
import { tableMarkdown } from './table-markdown.js'

/** Elements whose content is no text of the page. */
const SKIPPED = new Set([
  'STYLE',
  'SCRIPT',
  'META',
  'TITLE',
  'HEAD',
  'LINK',
  'NOSCRIPT',
  'TEMPLATE',
  'O:P',
  'XML',
])
/** Breaks at the ends of a paragraph, which has none there. */
const OUTER_BREAKS = /^(?:\\\n|\s)+|(?:\\\n|\s)+$/g
const STYLES = /<style[\s\S]*?<\/style>/gi
const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DETAILS DIV DL DD DT FIGURE FIGCAPTION FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE UL'.split(
    ' ',
  ),
)

/**
 * HTML of the clipboard as Markdown: headings, lists, links, bold and italic text, tables, code, quotes and pictures by
 * their addresses. Everything else becomes its text. The document that is parsed runs no script and loads nothing.
 */
export function htmlToMarkdown(html) {
  // The policy of the dashboard refuses styles, which Word and Google Docs say everything with.
  const inert = html.replaceAll(/(<[^>]*?\s)style(?=\s*=)/gi, '$1data-style').replaceAll(STYLES, '')
  const { body } = new DOMParser().parseFromString(inert, 'text/html')
  return blocksOf(body)
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** @returns {string[]} the blocks of an element. Text between blocks is a paragraph. */
function blocksOf(parent) {
  const blocks = []
  let inline = []
  const end = () => {
    const text = inlineMarkdown(inline).replaceAll(OUTER_BREAKS, '')
    if (text !== '') blocks.push(text)
    inline = []
  }
  const nodes = [...parent.childNodes]
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]
    if (isSkipped(node)) continue
    if (!hasBlocks(node)) {
      inline.push(node)
      continue
    }
    end()
    const list = wordList(nodes, at)
    if (list !== null) {
      blocks.push(list.markdown)
      at = list.last
    } else blocks.push(...blockOf(node))
  }
  end()
  return blocks
}

function blockOf(node) {
  const { tagName } = node
  const [, level] = /^H([1-6])$/.exec(tagName) ?? []
  if (level !== undefined) {
    const text = inlineMarkdown([...node.childNodes], { isBold: true })
      .replaceAll(/\s+/g, ' ')
      .trim()
    // The title of the page is its first heading.
    return text === '' ? [] : [`${'#'.repeat(Math.max(2, Number(level)))} ${text}`]
  }
  if (tagName === 'HR') return ['---']
  if (tagName === 'PRE') return [codeBlock(node)]
  if (tagName === 'UL' || tagName === 'OL') return [listMarkdown(node, blocksOf)]
  if (tagName === 'TABLE') return tableMarkdown(node, blocksOf)
  const blocks = blocksOf(node)
  if (tagName !== 'BLOCKQUOTE') return blocks
  return blocks.length === 0 ? [] : [blocks.join('\n\n').replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')]
}

function codeBlock(pre) {
  const text = pre.textContent.replace(/\n$/, '')
  const [, language = ''] =
    /(?:^|\s)lang(?:uage)?-([\w+#-]+)/.exec(`${pre.className} ${pre.firstElementChild?.className ?? ''}`) ??
    []
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function isSkipped(node) {
  return node.nodeType === Node.COMMENT_NODE || SKIPPED.has(node.tagName)
}

/** Inline elements may wrap blocks, as those of Google Docs do. */
function hasBlocks(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return false
  return BLOCKS.has(node.tagName) || [...node.children].some(hasBlocks)
}
