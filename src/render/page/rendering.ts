import type { UrlKind } from '../../domain/author-url.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { Labels } from '../../theme/theme.ts'
import { authorHref, type Links } from '../links/links.ts'
import type { EnhanceOptions } from '../markdown/enhance/enhance-context.ts'
import { MAX_DIAGNOSTICS } from '../markdown/markdown-diagnostic.ts'
import type { MarkdownTools } from '../markdown/markdown-tools.ts'
import {
  type InlineMarkdown,
  type RenderedMarkdown,
  renderInlineMarkdown,
  renderMarkdown,
} from '../markdown/render-markdown.ts'

/** What an author wrote, made fit for one document, and what had to be left out on the way. */
export interface Rendering {
  readonly links: Links
  readonly warnings: readonly PageWarning[]
  /** The author's links and images that were not dropped, as they were written. */
  readonly written: readonly WrittenLink[]
  warn(warning: PageWarning): void
  /**
   * The URL to write; null for one that is dropped, which is warned about.
   *
   * @param at where it was written, e.g. `config.sections[2].props.image.src`.
   */
  url(raw: string, kind: UrlKind, at: string): string | null
  markdown(source: string, at: string, options?: BodyOptions): RenderedMarkdown
  /** One line of HTML. */
  inline(source: string, at: string, options?: BodyOptions): string
  /** The word for it in the page's language. */
  word(name: 'yes' | 'no'): string
}

/** What a document is rendered with besides its links. */
export interface RenderingTools {
  /** Words in the page's language by their names in `themes/_shared/labels.json`; English without them. */
  readonly labels?: Labels
  /** Without them code is plain and formulas stay as they were written. */
  readonly tools?: MarkdownTools
}

/** A link or an image in the content of a page. */
export interface WrittenLink {
  /** Where it was written, e.g. `markdown_content`. */
  readonly at: string
  readonly href: string
  readonly kind: UrlKind
}

export type BodyOptions = Pick<EnhanceOptions, 'title' | 'idPrefix'>

/** Of a text that is warned about: enough to find it again, in UTF-16 code units. */
const LONGEST_WRITTEN = 500

/** Of each kind; enough for any page that is written by people. */
const MAX_LINKS = 500
/** Content of the page, not of the site around it. */
const OF_CONTENT = /^(?:config|markdown_content|image|og_image_url|author)\b/

const FOOTER_GROUPS = 50

const ENGLISH_ANSWERS = { yes: 'Yes', no: 'No' } as const

/** Ids the layouts have, which nothing of an author's may take. */
export const LAYOUT_IDS: readonly string[] = [
  ...['content', 'toc-title', 'item-details'],
  ...Array.from({ length: FOOTER_GROUPS }, (_, index) => `footer-${index + 1}`),
]

export function createRendering(links: Links, { labels, tools }: RenderingTools = {}): Rendering {
  const warnings: PageWarning[] = []
  const written: WrittenLink[] = []
  const noted: Record<UrlKind, number> = { link: 0, image: 0 }
  const hrefAt = (at: string) => (raw: string, kind: UrlKind) => {
    const safe = authorHref(raw, links, kind)
    if (safe !== null) note(raw.trim(), at, kind)
    return safe
  }
  const common: Omit<EnhanceOptions, 'href'> = {
    reservedIds: LAYOUT_IDS,
    ...(labels !== undefined && { labels }),
    ...(tools !== undefined && { tools }),
  }

  const rendering: Rendering = {
    links,
    warnings,
    written,
    warn(warning) {
      if (warnings.length < MAX_DIAGNOSTICS) warnings.push(warning)
    },
    url(raw, kind, at) {
      const safe = hrefAt(at)(raw, kind)
      if (safe === null) warnDropped([raw], at)
      return safe
    },
    markdown(source, at, options = {}) {
      const rendered = renderMarkdown(source, { ...common, href: hrefAt(at), ...options })
      warnAbout(rendered, at)
      for (const href of rendered.fragmentLinks) if (href !== '#') note(href, at, 'link')
      return rendered
    },
    inline(source, at, options = {}) {
      const rendered = renderInlineMarkdown(source, { ...common, href: hrefAt(at), ...options })
      warnAbout(rendered, at)
      return rendered.html
    },
    word: (name) => labels?.[name] ?? ENGLISH_ANSWERS[name],
  }
  return rendering

  function note(href: string, at: string, kind: UrlKind): void {
    if (OF_CONTENT.test(at) && noted[kind]++ < MAX_LINKS) written.push({ at, href, kind })
  }

  function warnAbout({ droppedUrls, diagnostics }: InlineMarkdown, at: string): void {
    warnDropped(droppedUrls, at)
    for (const { code, message, excerpt } of diagnostics)
      rendering.warn({ code, at, written: excerpt, message })
  }

  function warnDropped(urls: readonly string[], at: string): void {
    for (const url of urls.slice(0, MAX_DIAGNOSTICS)) {
      const shown = JSON.stringify(url.slice(0, 200))
      const message = `The link ${shown} was dropped: its URL is not allowed.`
      rendering.warn({ code: 'QN-UNSAFE-LINK', at, message, written: url.slice(0, LONGEST_WRITTEN) })
    }
  }
}
