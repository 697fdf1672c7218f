import type { Element, ElementContent, Properties } from 'hast'
import { decoded } from '../../../domain/author-url.ts'
import { pageEmbed, videoEmbed } from '../../../domain/embed.ts'
import { readLanguageTag } from '../../../domain/language-tag.ts'
import { humanise } from '../../../page-text/humanise.ts'
import { captionFiles, type PlayerKind } from '../../../page-text/player-directive.ts'
import { isExternal } from '../urls.ts'
import { element, isTag } from './element.ts'
import type { EnhanceContext } from './enhance-context.ts'

/** Files that browsers play, by the ending of their address. */
const ENDINGS: Readonly<Record<'video' | 'audio', RegExp>> = {
  video: /\.(?:mp4|m4v|webm|ogv|mov)$/i,
  audio: /\.(?:mp3|m4a|aac|oga|ogg|opus|flac|wav|weba)$/i,
}

/** Maximum number of caption languages of one video. */
const MAX_TRACKS = 20

/** Returns the kind of player for the file of an image element; null for an image. */
export function playerKind({ properties }: Element, src: string): PlayerKind | null {
  const stated = properties['dataPlayer']
  if (stated === 'video' || stated === 'audio' || stated === 'embed') return stated
  if (properties['srcSet'] !== undefined) return null
  if (videoEmbed(src) !== null) return 'embed'
  const path = src.replace(/[?#].*$/s, '')
  if (ENDINGS.video.test(path)) return 'video'
  return ENDINGS.audio.test(path) ? 'audio' : null
}

/** Attributes of a video or sound, from its author. */
interface PlayerParts {
  readonly kind: PlayerKind
  /** The printed URL. */
  readonly src: string
  /** The URL as the author wrote it. It contains the file's name. */
  readonly written: string
  readonly name: string
  readonly size: Properties
}

/**
 * The player of a video or sound, which works without a script. It never starts by itself, and loads at most the first
 * frame before. Where nothing can play it, such as in some feed readers, a link to the file is shown. A text of one
 * line has only the link.
 */
export function player(image: Element, parts: PlayerParts, context: EnhanceContext): Element {
  const { properties } = image
  const { kind, src, written, name, size } = parts
  if (kind === 'embed') return embed(image, parts, context)
  const { title, dataPoster, dataCaptions, dataPlayback, id, lang, dir, className } = properties
  const label = name.trim() || (typeof title === 'string' ? title.trim() : '') || nameOfFile(written)
  const playback = typeof dataPlayback === 'string' ? dataPlayback.split(' ') : []
  const poster = typeof dataPoster === 'string' ? allowedUrl(dataPoster, context) : null
  const tracks = kind === 'video' ? tracksOf(dataCaptions, context) : []
  const link = element('a', { href: src }, [{ type: 'text', value: label }])
  if (context.options.isInline === true) {
    context.fileLinks.add(link)
    return link
  }
  return element(
    kind,
    {
      ...(id !== undefined && { id }),
      ...(lang !== undefined && { lang }),
      ...(dir !== undefined && { dir }),
      ...(className !== undefined && { className }),
      src,
      ...(kind === 'video' && poster !== null && { poster }),
      ...(kind === 'video' ? size : {}),
      ariaLabel: label,
      ...(typeof title === 'string' && { title }),
      // A page in a sandbox has no origin of its own, so captions of its site need this. For another site it would
      // require CORS.
      ...(tracks.length > 0 && !isExternal(src) && { crossOrigin: 'anonymous' }),
      controls: true,
      preload: 'metadata',
      ...(playback.includes('loop') && { loop: true }),
      ...(kind === 'video' && playback.includes('muted') && { muted: true }),
    },
    [...tracks, link],
  )
}

/**
 * A link to a page of another site, which the script of the theme opens in its place, in a frame: nothing is requested
 * from there before the reader clicks. A plain link in feeds, in a text of one line, and for an address that no frame
 * shows.
 */
function embed({ properties }: Element, { src, name }: PlayerParts, context: EnhanceContext): Element {
  const found = videoEmbed(src) ?? pageEmbed(src)
  const { title, dataPoster } = properties
  const caption = typeof title === 'string' ? title.trim() : ''
  const label = name.trim() || caption || (found?.page ?? src)
  const link = { href: found?.page ?? src, rel: ['external', 'noopener'] }
  const text = { type: 'text', value: label } as const
  const { isInline, pageUrl } = context.options
  if (found === null || isInline === true || pageUrl !== undefined) {
    const plain = element('a', link, [text])
    context.fileLinks.add(plain)
    return plain
  }
  const { origin, hostname } = new URL(found.frame)
  context.frames.add(origin)
  const poster = typeof dataPoster === 'string' ? allowedUrl(dataPoster, context) : null
  return element(
    'a',
    {
      ...link,
      className: ['embed'],
      dataFrame: found.frame,
      ...(caption !== '' && caption !== label && { title: caption }),
    },
    [
      ...(poster === null
        ? []
        : [element('img', { src: poster, alt: '', loading: 'lazy', decoding: 'async' }, [])]),
      element('span', { className: ['embed-title'], dataFrom: hostname }, [text]),
    ],
  )
}

/**
 * Shows the names of videos and sounds in place of their players, and of links to them: they are part of another link.
 */
export function withoutPlayers(nodes: readonly ElementContent[], context: EnhanceContext): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return [node]
    if (context.fileLinks.has(node)) return node.children
    if (!PLAYERS.has(node.tagName)) return [{ ...node, children: withoutPlayers(node.children, context) }]
    const { ariaLabel } = node.properties
    if (typeof ariaLabel === 'string') return [{ type: 'text', value: ariaLabel }]
    return node.children.filter((child) => !isTag(child, 'source', 'track'))
  })
}

export function hasPlayer(nodes: readonly ElementContent[], context: EnhanceContext): boolean {
  return nodes.some(
    (node) =>
      node.type === 'element' &&
      (PLAYERS.has(node.tagName) || context.fileLinks.has(node) || hasPlayer(node.children, context)),
  )
}

const PLAYERS: ReadonlySet<string> = new Set(['video', 'audio'])

function tracksOf(captions: unknown, context: EnhanceContext): readonly Element[] {
  if (typeof captions !== 'string') return []
  return captionFiles(captions)
    .slice(0, MAX_TRACKS)
    .flatMap((file) => {
      const src = allowedUrl(file, context)
      return src === null ? [] : [element('track', { kind: 'captions', src, ...languageOf(file) }, [])]
    })
}

/** The language that the name of a file ends with, `intro.pt-BR.vtt` or `de.vtt`, and its own name for itself. */
function languageOf(file: string): Properties {
  const [, tag = ''] = /(?:^|[./])([A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8})*)\.vtt(?:[?#]|$)/i.exec(file) ?? []
  const language = readLanguageTag(tag)
  if (language === null) return {}
  return { srcLang: language.tag, label: languageName(language.tag) }
}

function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch (error) {
    if (error instanceof RangeError) return tag
    throw error
  }
}

function allowedUrl(written: string, { options, droppedUrls }: EnhanceContext): string | null {
  const mapped = options.href(written, 'image')
  if (mapped === null) droppedUrls.push(written)
  return mapped
}

/** `tram-ride.mp4` is the tram ride. */
function nameOfFile(written: string): string {
  const [path = ''] = written.split(/[?#]/, 1)
  const file = path.slice(path.lastIndexOf('/') + 1)
  return humanise(decoded(file).replace(/\.[^.]*$/, '')) || decoded(file) || written
}
