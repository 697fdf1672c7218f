import { inlineMarkdown } from './inline-markdown.js'

/** @param {(element: Element) => string[]} blocksOf an item. */
export function listMarkdown(list, blocksOf) {
  const isOrdered = list.tagName === 'OL'
  let number = Number(list.getAttribute('start') ?? 1) || 1
  const lines = []
  for (const child of list.children) {
    // Google Docs nests a list next to the item that it belongs to.
    if (child.tagName === 'UL' || child.tagName === 'OL')
      lines.push(indented(listMarkdown(child, blocksOf), isOrdered ? 3 : 2))
    else if (child.tagName === 'LI') {
      const mark = isOrdered ? `${number++}. ` : '- '
      const [first = '', ...rest] = blocksOf(child)
      const box = child.querySelector(':scope > input[type=checkbox], :scope > p > input[type=checkbox]')
      const task = box === null ? '' : box.hasAttribute('checked') ? '[x] ' : '[ ] '
      // A list within follows its text, other blocks have a blank line before them.
      const parts = rest.map((part) => (/^(- |\d+\. )/.test(part) ? '\n' : '\n\n') + part)
      lines.push(indented(`${mark}${task}${first}${parts.join('')}`, mark.length).trimStart())
    }
  }
  return lines.join('\n')
}

/** Paragraphs that Word draws as a list, as one; null for any other node. @returns the position of the last of them too. */
export function wordList(nodes, start) {
  if (levelOf(nodes[start]) === null) return null
  const lines = []
  let last = start
  for (let at = start; at < nodes.length; at += 1) {
    const level = levelOf(nodes[at])
    if (level === null) {
      if (nodes[at].nodeType === Node.TEXT_NODE && nodes[at].data.trim() === '') continue
      break
    }
    const mark = markOf(nodes[at])
    const isOrdered = /^\(?[\da-z]{1,3}[.)]/i.test(mark)
    const text = inlineMarkdown([...nodes[at].childNodes].filter((node) => !isMark(node))).trim()
    lines.push(`${'   '.repeat(level - 1)}${isOrdered ? '1.' : '-'} ${text}`)
    last = at
  }
  return { markdown: lines.join('\n'), last }
}

function levelOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE || node.tagName !== 'P') return null
  const [, level] = /mso-list:[^;]*level(\d)/.exec(node.dataset.style ?? '') ?? []
  return level === undefined ? null : Number(level)
}

function markOf(paragraph) {
  return [...paragraph.childNodes]
    .filter(isMark)
    .map(({ textContent }) => textContent)
    .join('')
    .trim()
}

/** The bullet that Word writes as text. */
function isMark(node) {
  return node.nodeType === Node.ELEMENT_NODE && /mso-list:\s*ignore/i.test(node.outerHTML.slice(0, 400))
}

/** Lines after the first one stand below the text of the item. */
function indented(text, width) {
  return text
    .replaceAll(/\n(?=.)/g, `\n${' '.repeat(width)}`)
    .replace(/^(?=- |\d+\. )/, width > 0 ? ' '.repeat(width) : '')
}
