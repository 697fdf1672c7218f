import { schemeOf, type UrlKind } from '../../domain/author-url.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Labels, Theme } from '../../theme/theme.ts'
import { assetsHref, authorHref, type Links } from '../links/links.ts'
import type { Components, EnhanceOptions } from '../markdown/enhance/enhance-context.ts'
import { MAX_DIAGNOSTICS } from '../markdown/markdown-diagnostic.ts'
import type { MarkdownTools } from '../markdown/markdown-tools.ts'
import {
  type InlineMarkdown,
  type RenderedMarkdown,
  renderInlineMarkdown,
  renderMarkdown,
} from '../markdown/render-markdown.ts'

/** Renders an author's Markdown and URLs for one document, and collects warnings and links. */
export interface Rendering {
  readonly links: Links
  /** The data of the site. */
  readonly data: JsonObject
  readonly warnings: readonly PageWarning[]
  /** True if readers may see the document dark. */
  readonly mayBeDark: boolean
  /** Origins of the pages of other sites that the document shows in frames. */
  readonly frames: ReadonlySet<string>
  /** Schemes of the URLs that forms of the document are sent to, e.g. `https:`. */
  readonly formTargets: ReadonlySet<string>
  /** The author's links and images, as written, except dropped ones. */
  readonly contentLinks: readonly ContentLink[]
  warn(warning: PageWarning): void
  /** Lets the document send a form to this URL. */
  allowForm(url: string): void
  /**
   * Returns the URL to print; null, with a warning, for one that is dropped.
   *
   * @param at location in the content, e.g. `config.sections[2].props.image.src`.
   */
  url(raw: string, kind: UrlKind, at: string): string | null
  markdown(source: string, at: string, options?: BodyOptions): RenderedMarkdown
  /** Renders inline HTML. */
  inline(source: string, at: string, options?: BodyOptions): string
  /** Yes or no in the page's language. */
  word(name: 'yes' | 'no'): string
}

/** Language and tools for rendering a document. */
export interface RenderingTools {
  /** Labels in the page's language, named as in `themes/_shared/labels.json`. English by default. */
  readonly labels?: Labels
  /** Without them code stays plain and formulas stay source. */
  readonly tools?: MarkdownTools
  /** The data of the site; none by default. */
  readonly data?: JsonObject
  /** The theme whose components the texts may have, and the language of the page; none by default. */
  readonly components?: PageComponents
  /** False for a theme that is always light; true by default. */
  readonly mayBeDark?: boolean
  /** Maps each URL that is printed; by default to itself. */
  readonly resolve?: (url: string) => string
}

export interface PageComponents {
  readonly theme: Pick<Theme, 'components' | 'component'>
  readonly lang: string
}

/** A link or image in the content of a page. */
export interface ContentLink {
  /** Location in the content, e.g. `markdown_content`. */
  readonly at: string
  readonly href: string
  readonly kind: UrlKind
}

export type BodyOptions = Pick<EnhanceOptions, 'title' | 'idPrefix' | 'glossary' | 'headingShift'>

/** Excerpt length in warnings, in UTF-16 code units. */
const MAX_WARNING_EXCERPT = 500

const DATA_IMAGE = /^\s*data:image\//i
/** Its type and the first letters of its bytes, in UTF-16 code units. */
const DATA_IMAGE_EXCERPT = 40

/** Maximum number of recorded links and of images; more than authors write on a page. */
const MAX_LINKS = 500
/** Locations of page content, as opposed to the surrounding site. */
const CONTENT_LOCATION = /^(?:config|markdown_content|image|og_image_url|author)\b/

const FOOTER_GROUPS = 50

const ENGLISH_ANSWERS = { yes: 'Yes', no: 'No' } as const

/** Ids of layouts, and variables of the analytics script. Author content must not take them. */
export const LAYOUT_IDS: readonly string[] = [
  'content',
  'toc-title',
  'item-details',
  'dataLayer',
  'gtag',
  ...Array.from({ length: FOOTER_GROUPS }, (_, index) => `footer-${index + 1}`),
]

export function createRendering(
  links: Links,
  { labels, tools, data = {}, components, mayBeDark = true, resolve = (url) => url }: RenderingTools = {},
): Rendering {
  const warnings: PageWarning[] = []
  const written: ContentLink[] = []
  const frames = new Set<string>()
  const formTargets = new Set<string>()
  /** Kinds of diagnostics that a page has once. */
  const reported = new Set<string>()
  const noted: Record<UrlKind, number> = { link: 0, image: 0 }
  const hrefAt = (at: string) => (raw: string, kind: UrlKind) => {
    const safe = authorHref(raw, links, kind)
    if (safe === null) return null
    note(raw.trim(), at, kind)
    return resolve(safe)
  }
  const common: Omit<EnhanceOptions, 'href'> = {
    reservedIds: LAYOUT_IDS,
    ...(labels !== undefined && { labels }),
    ...(tools !== undefined && { tools }),
    ...(components !== undefined && { components: componentsOf(components, links) }),
  }

  const rendering: Rendering = {
    links,
    data,
    mayBeDark,
    warnings,
    frames,
    formTargets,
    contentLinks: written,
    warn(warning) {
      if (warnings.length < MAX_DIAGNOSTICS) warnings.push(warning)
    },
    allowForm(url) {
      formTargets.add(`${schemeOf(url)}:`)
    },
    url(raw, kind, at) {
      const safe = hrefAt(at)(raw, kind)
      if (safe === null) warnDropped([raw], at)
      return safe
    },
    markdown(source, at, options = {}) {
      const rendered = renderMarkdown(source, { ...common, href: hrefAt(at), ...options })
      warnAbout(rendered, at)
      for (const origin of rendered.frames) frames.add(origin)
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
    if (CONTENT_LOCATION.test(at) && noted[kind]++ < MAX_LINKS) written.push({ at, href, kind })
  }

  function warnAbout({ droppedUrls, diagnostics }: InlineMarkdown, at: string): void {
    warnDropped(droppedUrls, at)
    for (const { code, message, excerpt, once } of diagnostics) {
      if (once !== undefined && reported.has(once)) continue
      if (once !== undefined) reported.add(once)
      rendering.warn({ code, at, written: excerpt, message })
    }
  }

  function warnDropped(urls: readonly string[], at: string): void {
    for (const url of urls.slice(0, MAX_DIAGNOSTICS)) {
      rendering.warn({
        ...droppedUrl(url),
        at,
        written: url === '' ? ']()' : url.slice(0, MAX_WARNING_EXCERPT),
      })
    }
  }
}

function componentsOf({ theme, lang }: PageComponents, links: Links): Components {
  const filesHref = assetsHref(links)
  return {
    schemas: theme.components,
    render: (content) => theme.component({ ...content, lang, filesHref }),
  }
}

function droppedUrl(url: string): Pick<PageWarning, 'code' | 'message'> {
  if (DATA_IMAGE.test(url)) {
    const message = `The picture "${url.trim().slice(0, DATA_IMAGE_EXCERPT)}…" was dropped, because it is written into the page. Save it as a file and write the name of the file.`
    return { code: 'QN-DATA-IMAGE', message }
  }
  if (url === '') return { code: 'QN-UNSAFE-LINK', message: 'A link was dropped, because it has no address.' }
  const message = `The link ${JSON.stringify(url.slice(0, 200))} was dropped: its URL is not allowed.`
  return { code: 'QN-UNSAFE-LINK', message }
}
