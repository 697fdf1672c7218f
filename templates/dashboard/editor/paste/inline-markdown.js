/** Marks that make Markdown of plain text. An underscore within a word makes none. */
const SPECIAL = /[\\`*[<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const LINE_START = /^(\s*)(?:(\d{1,9})(?=[.)]\s)|(?=#{1,6}\s|[-+]\s|>|~{3}|:{3}))/gm
const ADDRESS = /^(https?:\/\/|mailto:|tel:|[/#])/i

/**
 * The Markdown of nodes in one paragraph.
 *
 * @param {{ isBold?: boolean, isItalic?: boolean }} inherited styles that text has already, such as that of a heading.
 */
export function inlineMarkdown(nodes, inherited = {}) {
  const text = nodes.map((node) => inlineOf(node, inherited)).join('')
  return text.replaceAll(/[ \t]*\n[ \t]*/g, '\n').replaceAll(LINE_START, '$1$2\\')
}

function inlineOf(node, inherited) {
  if (node.nodeType === Node.TEXT_NODE)
    return node.data.replaceAll(/[\s\u00a0]+/g, ' ').replaceAll(SPECIAL, '\\$&')
  if (node.nodeType !== Node.ELEMENT_NODE || /^(STYLE|SCRIPT|META|O:P)$/.test(node.tagName)) return ''
  const { tagName } = node
  if (tagName === 'BR') return '\\\n'
  if (tagName === 'IMG') return picture(node)
  if (tagName === 'CODE' || tagName === 'KBD' || tagName === 'SAMP' || tagName === 'TT')
    return code(node.textContent)
  const style = styleOf(node, inherited)
  const inner = [...node.childNodes].map((child) => inlineOf(child, style)).join('')
  const marked = wrapped(inner, marksOf(style, inherited))
  return tagName === 'A' ? link(node, marked) : marked
}

/** Word and Google Docs say with styles what others say with elements. */
function styleOf({ tagName, dataset }, inherited) {
  const styles = dataset.style ?? ''
  const styleValue = (name) => new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(styles)?.[1].trim()
  const weight = styleValue('font-weight')
  const slant = styleValue('font-style')
  const isNamedBold = tagName === 'B' || tagName === 'STRONG'
  const isNormal = weight === 'normal' || weight === '400'
  return {
    isBold: inherited.isBold || (isNamedBold && !isNormal) || weight === 'bold' || Number(weight) >= 600,
    isItalic:
      inherited.isItalic ||
      ((tagName === 'I' || tagName === 'EM') && slant !== 'normal') ||
      slant === 'italic',
    isStruck:
      inherited.isStruck ||
      /^(S|DEL|STRIKE)$/.test(tagName) ||
      /line-through/.test(styleValue('text-decoration(?:-line)?') ?? ''),
  }
}

function marksOf(style, inherited) {
  return (
    (style.isStruck && !inherited.isStruck ? '~~' : '') +
    (style.isBold && !inherited.isBold ? '**' : '') +
    (style.isItalic && !inherited.isItalic ? '_' : '')
  )
}

/** Marks touch the text: blanks at its ends go outside. */
function wrapped(text, marks) {
  const [, before, inner, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)
  if (marks === '' || inner === '') return text
  const closing = [...(marks.match(/~~|\*\*|_/g) ?? [])].reverse().join('')
  return before + marks + inner + closing + after
}

function code(text) {
  const flat = text.replaceAll(/\s+/g, ' ')
  if (flat.trim() === '') return flat
  const ticks = '`'.repeat(Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return ticks + pad + flat + pad + ticks
}

function picture(node) {
  const source = node.getAttribute('src') ?? ''
  if (!/^(https?:\/\/|\/)/i.test(source)) return ''
  return `![${(node.getAttribute('alt') ?? '').replaceAll(/\s+/g, ' ').replaceAll(/[[\]\\]/g, '\\$&')}](${target(source)})`
}

function link(node, text) {
  const href = unwrapped(node.getAttribute('href') ?? '')
  if (text.trim() === '' || !ADDRESS.test(href)) return text
  if (node.textContent === href && /^https?:/.test(href)) return href
  const [, before, inner, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)
  const shown = inner.includes('![') ? inner : inner.replaceAll(/(?<!\\)\]/g, '\\]')
  return `${before}[${shown}](${target(href)})${after}`
}

/** Google Docs leads links through an address of its own. */
function unwrapped(href) {
  const [, wanted] = /^https:\/\/www\.google\.com\/url\?(?:.*&)?q=([^&]+)/.exec(href) ?? []
  return wanted === undefined ? href : decodeURIComponent(wanted)
}

function target(address) {
  return /[\s()<>]/.test(address) ? `<${address.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : address
}
