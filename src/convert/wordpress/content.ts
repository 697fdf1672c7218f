import { withParagraphs } from './autop.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { embed, type GalleryPictures, shortcodeHtml } from './shortcode-html.ts'
import { replaceShortcodes } from './shortcodes.ts'

export interface PostContent {
  readonly html: string
  /** The text before the mark of an excerpt, as HTML. Null without a mark. */
  readonly excerpt: string | null
  /** Names of blocks that WordPress fills, and of unknown shortcodes, by how often they occur. */
  readonly drawn: ReadonlyMap<string, number>
  readonly unknown: ReadonlyMap<string, number>
}

const MORE = /<!--\s*more\b[^\n<>]*?-->/i
/** The comment of a block without text. */
const EMPTY_BLOCK = /<!--\s*wp:([a-z][\w/-]*)\s+(\{[^\n]*?\}\s+)?\/-->/g
const IS_BLOCKS = /<!--\s*wp:[a-z]/
/** Blocks without a text that nobody misses. */
const SILENT =
  /^(?:spacer|more|nextpage|footnotes|separator|block|social-link|post-.*|site-.*|template-part|pattern)$/
/** An address in a line of its own. */
const LONE_ADDRESS = /^[ \t]*(?:<p>\s*)?(https?:\/\/[^\s<>"]+)(?:\s*<\/p>)?[ \t]*$/gm
/** A note at the end of a text of the classic editor is not split into paragraphs. */
const MAX_BLOCKS_IN_BLOCKS = 8

/** @param blockOf the text of a block that several posts share, by its number. Null when there is none. */
export function postContent(
  written: string,
  picturesOf: GalleryPictures,
  blockOf: (id: string) => string | null,
): PostContent {
  const drawn = new Map<string, number>()
  const whole = withSharedBlocks(written, blockOf, 0)
  const isBlocks = IS_BLOCKS.test(whole)
  const named = whole.replace(EMPTY_BLOCK, (_, name: string, given: string | undefined) => {
    if (name === 'social-link') return socialLink(given ?? '{}')
    if (!SILENT.test(name)) drawn.set(name, (drawn.get(name) ?? 0) + 1)
    return ''
  })
  const { html: filled, unknown } = replaceShortcodes(named, (shortcode) =>
    shortcodeHtml(shortcode, picturesOf),
  )
  const embedded = isBlocks
    ? filled
    : filled.replace(LONE_ADDRESS, (line, address: string) => embed(address) ?? line)
  const html = isBlocks ? embedded : withParagraphs(embedded)
  const more = MORE.exec(html)
  return { html, excerpt: more === null ? null : html.slice(0, more.index), drawn, unknown }
}

/** Blocks that are stored once and shown in several posts: `<!-- wp:block {"ref":12} /-->`. */
function withSharedBlocks(text: string, blockOf: (id: string) => string | null, depth: number): string {
  if (depth === MAX_BLOCKS_IN_BLOCKS) return text
  return text.replace(/<!--\s*wp:block\s+\{"ref":(\d+)[^{}\n]*\}\s+\/-->/g, (written, id: string) => {
    const content = blockOf(id)
    return content === null ? written : withSharedBlocks(content, blockOf, depth + 1)
  })
}

function socialLink(given: string): string {
  const [, url = ''] = /"url":"([^"\\]*)"/.exec(given) ?? []
  const [, service = ''] = /"service":"([^"\\]*)"/.exec(given) ?? []
  return url === '' ? '' : `<li><a href="${escapeHtml(url)}">${escapeHtml(service || url)}</a></li>`
}
