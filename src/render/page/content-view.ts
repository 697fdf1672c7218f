import { readLocalDate } from '../../domain/date.ts'
import { type Glossary, glossaryOf } from '../../domain/glossary.ts'
import type { JsonObject } from '../../domain/json.ts'
import { listingFolder, listingPath } from '../../domain/listing.ts'
import type { LivePage } from '../../domain/live-page.ts'
import { localeWithCode } from '../../domain/locale.ts'
import { didYouMean } from '../../domain/nearest-name.ts'
import { type Page, sectionsOf } from '../../domain/page.ts'
import { authorFolder } from '../../domain/site-author.ts'
import { tagAddress } from '../../domain/tag.ts'
import { tagFolder } from '../../domain/tag-list.ts'
import { undeclaredNames } from '../../domain/variables.ts'
import type { FrontMatter } from '../../page-text/front-matter.ts'
import { mapProse } from '../../page-text/map-prose.ts'
import { normalizeImage } from '../../sections/image.ts'
import type { Theme } from '../../theme/theme.ts'
import type { ContentView, ImageView } from '../../theme/view.ts'
import { renderSections } from '../sections/render-sections.ts'
import { warnAboutTypes } from '../sections/warn-about-types.ts'
import { dateText, readingMinutes } from './article-facts.ts'
import { imageView } from './image-view.ts'
import { itemFields } from './item-fields.ts'
import { rawLastEdit } from './last-edit.ts'
import type { Rendering } from './rendering.ts'

/**
 * The content of a page. Content that its type does not show is left out with a warning.
 *
 * @param source the page's Markdown, split from its front matter.
 * @param lang language of the page, for dates and prices.
 */
export function contentView(
  live: LivePage,
  source: FrontMatter,
  lang: string,
  theme: Pick<Theme, 'section' | 'ownSections' | 'types'>,
  rendering: Rendering,
): ContentView {
  const { page, fields } = live
  warnAboutUnshownContent(page, source, rendering)
  warnAboutLocale(live, rendering)
  warnAboutVariables(source.body, live.settings, rendering)
  const config = { ...source.frontMatter, ...page.config }
  warnAboutTypes(config, theme.types.fields, 'config', rendering)
  const isArticle = page.type === 'article'
  const glossary = glossaryFor(live, config)
  const { html, toc } = rendering.markdown(source.body, 'markdown_content', {
    title: page.title,
    ...(glossary !== null && { glossary }),
  })
  const sections = renderSections(
    { sections: sectionsOf(page), lang, collections: live.context.collections, markdown: html },
    theme,
    rendering,
  )

  return {
    type: page.type,
    title: page.title,
    description: page.description === '' ? null : page.description,
    config,
    html: sections.hasMarkdown ? '' : html,
    toc,
    sectionsHtml: sections.html,
    hasOwnHeading: sections.hasOwnHeading,
    fields: page.type === 'item' ? itemFields(page.config, rendering) : [],
    image: isArticle || page.type === 'item' ? coverImage(page, source, rendering) : null,
    date:
      isArticle && fields.publishDate !== null
        ? { iso: fields.publishDate, text: dateText(fields.publishDate, lang) }
        : null,
    updated: updatedView(page, source, lang, rendering),
    author: isArticle ? authorView(live, rendering) : null,
    tags: tagViews(live, rendering),
    editHref: editHref(page, source, rendering),
    readingMinutes: isArticle ? readingMinutes(page.wordCount) : null,
  }
}

/** Parsed glossaries by the data of a site. */
const glossaries = new WeakMap<JsonObject, Glossary | null>()

/** The glossary whose terms the page explains; null for none. */
function glossaryFor({ page, settings: { data } }: LivePage, config: JsonObject): Glossary | null {
  if (data === undefined) return null
  const known = glossaries.get(data)
  const glossary = known === undefined ? glossaryOf(data) : known
  glossaries.set(data, glossary)
  if (glossary === null) return null
  const usual = glossary.pages === 'all' || (glossary.pages === 'docs' && page.type === 'docs')
  const own = config['glossary']
  return (typeof own === 'boolean' ? own : usual) ? glossary : null
}

/** On a site in one language the field has no effect. */
function warnAboutLocale({ fields: { locale }, settings }: LivePage, rendering: Rendering): void {
  const locales = settings.locales
  if (locale === null || locales.length === 0 || localeWithCode(locale, locales) !== undefined) return
  const codes = locales.map(({ code }) => code).join(', ')
  const message = `The site has no language ${locale}. Its languages are ${codes}.`
  rendering.warn({ code: 'QN-UNKNOWN-LOCALE', at: 'locale', message })
}

/** Warns about variables that are nearly a declared name. Other undeclared names are text. */
function warnAboutVariables(
  body: string,
  { variables = {} }: LivePage['settings'],
  rendering: Rendering,
): void {
  const declared = Object.keys(variables)
  if (declared.length === 0 || !body.includes('{{')) return
  const undeclared = new Set<string>()
  mapProse(body, (text) => {
    for (const name of undeclaredNames(text, variables)) undeclared.add(name)
    return text
  })
  for (const name of undeclared) {
    const near = didYouMean(name, declared)
    if (near === '') continue
    const message = `{{ ${name} }} stays text: the setting variables has no such name.${near}`
    rendering.warn({ code: 'QN-UNKNOWN-VARIABLE', at: 'markdown_content', written: name, message })
  }
}

function warnAboutUnshownContent(page: Page, { error }: FrontMatter, rendering: Rendering): void {
  if (error !== null) {
    rendering.warn({
      code: 'QN-BAD-FRONT-MATTER',
      at: 'markdown_content',
      message: `Line ${error.line} of the front matter: ${error.message}`,
    })
  }
  if (page.type !== 'page' && page.config['sections'] !== undefined) {
    rendering.warn({
      code: 'QN-UNUSED-CONTENT',
      at: 'config.sections',
      message: `A page of type ${page.type} does not show sections.`,
    })
  }
}

/** Image above the text: from `config`, else the front matter, else the image for social media. */
function coverImage(page: Page, { frontMatter }: FrontMatter, rendering: Rendering): ImageView | null {
  const own = normalizeImage(page.config['image'] ?? null) ?? normalizeImage(frontMatter['image'] ?? null)
  return own === null
    ? imageView(normalizeImage(page.ogImageUrl), 'og_image_url', rendering)
    : imageView(own, 'image', rendering)
}

/** Link to the page's source, mostly on a code forge; from `config` or the front matter. */
function editHref(page: Page, { frontMatter }: FrontMatter, rendering: Rendering): string | null {
  const written = page.config['edit_url'] ?? frontMatter['edit_url']
  return typeof written === 'string' ? rendering.url(written, 'link', 'edit_url') : null
}

/** Date of the last edit; from `config` or the front matter. Publishing again does not change it. */
function updatedView(
  page: Page,
  source: FrontMatter,
  lang: string,
  rendering: Rendering,
): ContentView['updated'] {
  const written = rawLastEdit(page, source)
  if (written === undefined) return null
  const iso = readLocalDate(written)
  if (iso !== null) return { iso, text: dateText(iso, lang) }
  rendering.warn({
    code: 'QN-BAD-DATE',
    at: 'last_updated',
    message: 'last_updated must be a date such as 2026-03-01.',
  })
  return null
}

/** Only the tags of articles in a blog have lists. */
function tagViews(live: LivePage, { links }: Rendering): ContentView['tags'] {
  const folder = live.site.hostingMode === 'data_mode' ? null : listingFolder(live)
  return live.fields.tags.map((name) => ({
    name,
    href: folder === null ? null : links.page(listingPath(tagFolder(folder, tagAddress(name)), null)),
    count: null,
  }))
}

/** The author's list, if there is one, takes precedence over an address elsewhere. The list shows that address too. */
function authorView(live: LivePage, rendering: Rendering): ContentView['author'] {
  const { author } = live.fields
  if (author === null) return null
  const { name, avatar, bio, url, address } = author
  const blog = live.site.hostingMode === 'data_mode' ? null : listingFolder(live)
  const list =
    blog === null || address === undefined
      ? null
      : rendering.links.page(listingPath(authorFolder(blog, address), null))
  return {
    name,
    avatar: avatar === null ? null : rendering.url(avatar, 'image', 'author.avatar'),
    bio: bio ?? null,
    href: list ?? (url === undefined ? null : rendering.url(url, 'link', 'author.url')),
  }
}
