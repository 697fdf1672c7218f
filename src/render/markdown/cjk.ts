import type { Link, Nodes, Parents, PhrasingContent } from 'mdast'

/*
 * CommonMark decides by spaces and punctuation whether `**` opens or closes emphasis, where an address ends, and that a
 * line break separates words. Chinese, Japanese and Korean text has no spaces there. Before parsing, a noncharacter
 * separates punctuation from asterisks next to such text; afterwards it is removed.
 */

/** A noncharacter without a meaning to parsers. */
const SEPARATOR = '\uFDD2'
const SEPARATORS = /\uFDD2/g

const LETTER = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]`
const PUNCTUATION = String.raw`(?:(?![\\*~])[\p{P}\p{S}])`
const CJK = new RegExp(LETTER, 'u')
/** `**注意：**先`: punctuation, the mark that should close, a letter. */
const CLOSING = new RegExp(String.raw`(${PUNCTUATION})(\*{1,3}|~~)(?=${LETTER})`, 'gu')
/** `点**「继续」**`: a letter, the mark that should open, punctuation. */
const OPENING = new RegExp(String.raw`(?<=${LETTER})(?<!\\)(\*{1,3}|~~)(?=${PUNCTUATION})`, 'gu')

/** Ends an address in text. None of these is typed in an address; browsers escape them. */
const ENDS_ADDRESS = /[、。，．！？；：（）「」『』【】〔〕《》〈〉…“”‘’]/
/** A line break between characters of scripts without spaces. Korean has spaces. */
const LINE_BREAK =
  /(?<=[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}！-｠])[ \t]*(?:\r\n?|\n)[ \t]*(?=[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}！-｠])/gu

export function hasCjk(source: string): boolean {
  return CJK.test(source)
}

/** Adds separators to a source with such text. */
export function separateEmphasis(source: string): string {
  return source
    .replace(SEPARATORS, '\uFFFD')
    .replace(CLOSING, `$1${SEPARATOR}$2`)
    .replace(OPENING, `$1${SEPARATOR}`)
}

/** Removes the separators from a tree, ends addresses before punctuation, and joins lines. Mutates the tree. */
export function adaptCjk(node: Nodes): void {
  for (const [name, value] of Object.entries(node))
    if (typeof value === 'string' && value.includes(SEPARATOR))
      Object.assign(node, { [name]: value.replace(SEPARATORS, '') })
  if (node.type === 'text') node.value = node.value.replace(LINE_BREAK, '')
  if (!('children' in node)) return
  for (const child of node.children) adaptCjk(child)
  endAddresses(node)
}

/** An address that was written as text takes all up to the next space; what follows its punctuation is text again. */
function endAddresses(parent: Parents): void {
  const children = parent.children.flatMap((child): Nodes[] => {
    const written = child.type === 'link' ? textOf(child) : null
    const end = written?.search(ENDS_ADDRESS) ?? -1
    if (child.type !== 'link' || written === null || end === -1) return [child]
    const address = written.slice(0, end)
    const rest: PhrasingContent = { type: 'text', value: written.slice(end) }
    return [{ ...child, url: addressOf(address), children: [{ type: 'text', value: address }] }, rest]
  })
  parent.children = children as typeof parent.children
}

/** The text of a link that is its own address; null for any other link. */
function textOf({ url, children: [text, ...others] }: Link): string | null {
  if (text?.type !== 'text' || others.length > 0) return null
  return /^(?:https?:\/\/|www\.)/i.test(text.value) && url === addressOf(text.value) ? text.value : null
}

function addressOf(text: string): string {
  return /^www\./i.test(text) ? `http://${text}` : text
}
