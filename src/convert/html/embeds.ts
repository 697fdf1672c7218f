import type { Element, ElementContent } from 'hast'
import { pageEmbed, videoEmbed } from '../../domain/embed.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { line } from './containers.ts'
import { attribute, element, first, hasClass, isElement, lineOf, outermost } from './elements.ts'
import { captionOf } from './pictures.ts'
import type { Rewriter, Rewriting, Scope } from './rewrite.ts'

/** Frames of other sites: players of YouTube and Vimeo, and pages that readers open by a click. */
export const frames: Rewriter = (node, scope, { report }) => {
  if (!isElement(node, 'iframe')) return null
  const address = frameAddress(node)
  if (address === '') return []
  return embedded(address, attribute(node, 'title'), '', scope, report)
}

/** Embeds of editors, with or without the frame: `<figure class="wp-block-embed">` around an address. */
export const embeds: Rewriter = (node, scope, rewriting) => {
  if (!isElement(node, 'figure') || !hasClass(node, 'wp-block-embed', 'kg-embed-card')) return null
  const caption = captionOf(node)
  const text = caption === null ? '' : lineOf(caption)
  const frame = first(node, 'iframe')
  if (frame !== null)
    return embedded(frameAddress(frame), attribute(frame, 'title'), text, scope, rewriting.report)
  const wrapper = first(node, '.wp-block-embed__wrapper')
  const address = wrapper === null ? '' : lineOf(wrapper)
  if (!/^https?:\/\/\S+$/.test(address)) return null
  const shown = videoEmbed(address)
    ? embedded(address, '', text, scope, rewriting.report)
    : [element('p', {}, [link(address, address)])]
  return videoEmbed(address) || text === '' ? shown : [...shown, ...captionOnly(caption, rewriting, scope)]
}

function captionOnly(
  caption: Element | null,
  { rewriteAll }: Rewriting,
  scope: Scope,
): readonly ElementContent[] {
  return caption === null ? [] : [element('p', {}, [element('em', {}, rewriteAll(caption.children, scope))])]
}

/** Frames that load later have their address in another attribute. */
function frameAddress(frame: Element): string {
  const stated = [attribute(frame, 'src'), attribute(frame, 'dataSrc')].map((each) => each.trim())
  const address = stated.find((each) => each !== '' && !/^(?:about|data|javascript):/i.test(each)) ?? ''
  return address.startsWith('//') ? `https:${address}` : address
}

function embedded(
  address: string,
  title: string,
  caption: string,
  scope: Scope,
  report: Rewriting['report'],
): readonly ElementContent[] {
  const video = videoEmbed(address)
  if (video !== null) {
    const properties = { src: video.page, alt: title, title: caption === '' ? null : caption }
    return [element('p', {}, [element('img', properties)])]
  }
  const page = pageEmbed(address)
  const label = title.trim() || caption || parseUrl(address)?.hostname || address
  if (page === null || scope.isInCell) {
    report('QN-PARTLY-CONVERTED', 'A frame of another site becomes a link.')
    return [element('p', {}, [link(address, label)])]
  }
  const after = `]{url="${quoted(page.page)}"${caption === '' || caption === label ? '' : ` title="${quoted(caption)}"`}}`
  return [line(`::embed[${plainName(label)}`, after)]
}

/** Videos and sounds, in the players of editors as well. */
export const players: Rewriter = (node, scope, { options: { addressOf }, report }) => {
  const media = mediaOf(node)
  if (media === null) return null
  const written = attribute(media, 'src').trim() || sourceIn(media)
  const address = written === '' ? null : addressOf(written, 'file')
  if (address === null) {
    if (written !== '')
      report('QN-NOT-CONVERTED', 'A video or sound with an address that pages cannot have is left out.')
    return []
  }
  const caption = isElement(node, 'figure', 'div') ? captionOf(node) : null
  const title = first(node, '.kg-audio-title')
  const name = plainName(lineOf(title ?? { type: 'text', value: attribute(media, 'title') }))
  if (scope.isInCell) return [link(address, name || address)]
  const poster = attribute(media, 'poster').trim()
  const values = [
    ['src', address],
    ['poster', poster === '' ? '' : (addressOf(poster, 'file') ?? '')],
    ['title', caption === null ? '' : lineOf(caption)],
  ] as const
  const pairs = values.flatMap(([key, value]) => (value === '' ? [] : [`${key}="${quoted(value)}"`]))
  const flags = ['loop', 'muted'].filter(
    (flag) => media.tagName === 'video' && attribute(media, flag) === 'true',
  )
  const label = name === '' ? '' : `[${name}]`
  return [line(`::${media.tagName}${label}`, `{${[...pairs, ...flags].join(' ')}}`)]
}

/** The video or sound of an element, or of a figure or card with nothing else besides a caption. */
function mediaOf(node: Element): Element | null {
  if (isElement(node, 'video', 'audio')) return node
  const isHolder =
    (isElement(node, 'figure') && hasClass(node, 'wp-block-video', 'wp-block-audio', 'kg-video-card')) ||
    hasClass(node, 'kg-video-card', 'kg-audio-card', 'wp-video')
  const [only, ...others] = isHolder ? outermost(node, (each) => isElement(each, 'video', 'audio')) : []
  return only !== undefined && others.length === 0 ? only : null
}

function sourceIn(media: Element): string {
  const source = first(media, 'source')
  return source === null ? '' : attribute(source, 'src').trim()
}

function link(href: string, label: string): Element {
  return element('a', { href }, [{ type: 'text', value: label }])
}

/** A name in brackets on one line. */
function plainName(text: string): string {
  return text.replace(/[[\]\s]+/g, ' ').trim()
}

function quoted(value: string): string {
  return value.replace(/\s+/g, ' ').replaceAll('"', '%22')
}
