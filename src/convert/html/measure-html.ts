import type { Element, ElementContent, RootContent } from 'hast'
import { pageEmbed, videoEmbed } from '../../domain/embed.ts'
import { attribute, hasClass, isElement, isVisible, lineOf } from './elements.ts'
import { parseHtml } from './parse-html.ts'
import { fullAddress, leadsToItself, picturesIn, sourceOf } from './pictures.ts'
import { visibleHtml } from './visible-html.ts'

/** Counted parts of HTML. Words, links and pictures repeat as often as they occur. */
export interface HtmlMeasure {
  /** In lower case. A character of Chinese or Japanese is a word. */
  readonly words: readonly string[]
  readonly headings: readonly string[]
  readonly links: readonly string[]
  /** Names of the files of pictures, without the sizes that editors add. */
  readonly pictures: readonly string[]
  readonly codeBlocks: number
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu
/** The number of a note, or a sign that leads back from it. */
const MARK = /^[[(^]*(?:\d{1,4}|[*†‡]|[a-z])?[\])]*$|^[^\p{L}\p{N}]*$/iu
const BLOCK =
  /^(?:address|article|aside|blockquote|br|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/

/**
 * Measures HTML of any editor, or that of a page of Quoin, in the same way.
 *
 * @param addressOf the address of a link or a picture as both sides have it.
 * @returns null for HTML that is too complex to read.
 */
export function measureHtml(
  html: string,
  addressOf: (address: string, kind: 'link' | 'file') => string | null,
): HtmlMeasure | null {
  const parsed = parseHtml(html)
  if (parsed === null) return null
  const words: string[] = []
  const headings: string[] = []
  const links: string[] = []
  const pictures: string[] = []
  let codeBlocks = 0
  let cells = 0
  let openHeadings = 0
  const text: string[] = []
  for (const node of visibleHtml(parsed).tree.children) visit(node)
  words.push(...wordsOf(text.join('')))
  return { words, headings, links, pictures, codeBlocks }

  function visit(node: ElementContent | RootContent): void {
    if (node.type === 'text') text.push(node.value)
    if (!isElement(node) || (openHeadings === 0 && isRepeated(node))) return
    const { tagName } = node
    // The address of a video is not shown: the video is.
    const video = hasClass(node, 'wp-block-embed__wrapper') ? videoEmbed(lineOf(node)) : null
    if (video !== null) {
      addAddress(video.page)
      return
    }
    const isCell = tagName === 'td' || tagName === 'th'
    if (isCell) cells += 1
    // A heading may be a link to itself, also one of a number.
    const isHeading = /^h[1-6]$/.test(tagName)
    if (isHeading) openHeadings += 1
    // A cell is one line.
    if (isHeading && cells === 0 && !hasClass(node, 'kg-toggle-heading-text') && isVisible(node))
      headings.push(wordsOf(lineOf(node)).join(' '))
    if (tagName === 'pre' && !hasClass(node, 'wp-block-verse')) codeBlocks += isVerse(node) ? 0 : 1
    if (tagName === 'img') addPicture(node)
    if (/^(?:iframe|video|audio)$/.test(tagName)) addPlayer(node)
    if (tagName === 'a') addLink(node)
    if (BLOCK.test(tagName)) text.push(' ')
    for (const child of node.children) visit(child)
    if (BLOCK.test(tagName)) text.push(' ')
    if (isCell) cells -= 1
    if (isHeading) openHeadings -= 1
  }

  function addPicture(image: Element): void {
    const address = sourceOf(image)
    const video = videoEmbed(address)
    if (video !== null) addAddress(video.page)
    else addFile(address)
    const alt = attribute(image, 'alt').replace(/\|\d+(?:x\d+)?$/, '')
    const title = attribute(image, 'title')
    text.push(` ${alt} ${title.trim() === alt.trim() ? '' : title} `)
  }

  function addPlayer(player: Element): void {
    const address = attribute(player, 'src').trim() || attribute(player, 'dataSrc').trim()
    if (address === '' || /^(?:about|data|javascript):/i.test(address)) return
    const whole = address.startsWith('//') ? `https:${address}` : address
    if (player.tagName === 'iframe') addAddress((videoEmbed(whole) ?? pageEmbed(whole))?.page ?? whole)
    else addFile(address)
  }

  function addFile(address: string): void {
    const shown = address === '' ? null : addressOf(address, 'file')
    if (shown !== null) pictures.push(nameOf(shown))
  }

  function addLink(link: Element): void {
    const [only] = picturesIn(link)
    const isOwn = only !== undefined && leadsToItself(link, only.image)
    if (isVisible(link) && !isOwn) addAddress(attribute(link, 'href').trim())
    const title = attribute(link, 'title')
    if (!isOwn && title.trim() !== '' && isVisible(link) && title.trim() !== lineOf(link))
      text.push(` ${title} `)
  }

  function addAddress(written: string): void {
    const address = written === '' ? null : addressOf(written, 'link')
    if (address !== null) links.push(videoEmbed(address)?.page ?? address.replace(/\/$/, ''))
  }
}

/** The second link to a file, and links that only lead back or to a note. */
function isRepeated(node: Element): boolean {
  const isInPage = node.tagName === 'a' && attribute(node, 'href').startsWith('#')
  if (isInPage && MARK.test(lineOf(node))) return true
  return hasClass(node, 'wp-block-file__button', 'heading-anchor', 'data-footnote-backref')
}

function isVerse(pre: Element): boolean {
  const hasMarkup = (child: ElementContent): boolean =>
    isElement(child, 'a', 'img') || (isElement(child) && child.children.some(hasMarkup))
  return pre.children.some(hasMarkup)
}

function nameOf(address: string): string {
  return fullAddress(address).split('/').at(-1) ?? ''
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? []
}
