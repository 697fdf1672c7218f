import { listingFolder, listingPath } from '../../domain/listing.ts'
import type { DocsContext, LivePage, NavStep, SeriesParts } from '../../domain/live-page.ts'
import { alternatesOf, fileInLocale, localeOf } from '../../domain/locale.ts'
import { notFoundKey } from '../../domain/not-found-page.ts'
import { sectionsOf } from '../../domain/page.ts'
import { SITE_FEED } from '../../domain/site-lines.ts'
import { isOldVersion, latestPath } from '../../domain/version.ts'
import { type FrontMatter, splitFrontMatter } from '../../page-text/front-matter.ts'
import type { Labels, Theme } from '../../theme/theme.ts'
import type { NeighboursView, PageView, SeriesView, StepView } from '../../theme/view.ts'
import { docsView } from '../docs/docs-view.ts'
import { listingTitle } from '../listing/listing.ts'
import { postViews } from '../listing/post-views.ts'
import { searchAssets } from './assets.ts'
import { contentView } from './content-view.ts'
import { faqData } from './faq-data.ts'
import { type DocumentFacts, headView } from './head-view.ts'
import { itemFileKey } from './item-file.ts'
import { itemSteps } from './item-steps.ts'
import { pageLanguage } from './language.ts'
import { writtenLastEdit } from './last-edit.ts'
import { twinKey } from './markdown-twin.ts'
import type { Rendering } from './rendering.ts'
import { type InLanguage, siteView } from './site-view.ts'
import { structuredData } from './structured-data.ts'
import { truncateText } from './truncate-text.ts'

const MAX_META_DESCRIPTION = 160

/** Everything that a theme's layout needs to render the page. */
export function pageView(
  live: LivePage,
  theme: Pick<
    Theme,
    | 'section'
    | 'ownSections'
    | 'types'
    | 'assets'
    | 'colours'
    | 'formOrigins'
    | 'stemmer'
    | 'layouts'
    | 'labels'
  >,
  rendering: Rendering,
): PageView {
  const { page, path } = live
  const source = splitFrontMatter(page.markdown)
  const { lang, dir } = pageLanguage(live, source)
  // Before the head: its policy depends on the content.
  const content = contentView(live, source, lang, theme, rendering)
  const language = {
    locale: localeOf(live),
    translations: live.context.translations ?? [],
    switchPaths: live.context.switchPaths ?? [],
    surroundings: live.context.surroundings,
  }
  return {
    lang,
    dir,
    layout: chosenLayout(live, source, theme, rendering),
    head: headView(documentFacts(live, language), live, theme, rendering),
    site: siteView(live, path, searchAssets(theme, lang), rendering, language),
    page: content,
    docs: page.type === 'docs' ? docsView(docsContextOf(live), path, rendering) : null,
    breadcrumbs: itemSteps(live).map((step) => stepView(step, rendering)),
    listing: listingStep(live, rendering),
    neighbours: neighboursView(live, theme.labels(lang), lang, rendering),
  }
}

/** The layout that the page names in `config` or its front matter, if the theme has it. */
function chosenLayout(
  { page }: LivePage,
  { frontMatter }: FrontMatter,
  { layouts }: Pick<Theme, 'layouts'>,
  { warn }: Rendering,
): string | null {
  const written = page.config['layout'] ?? frontMatter['layout'] ?? null
  if (written === null || written === page.type) return null
  if (typeof written === 'string' && layouts.includes(written)) return written
  const name = JSON.stringify(written).slice(0, MAX_NAME_EXCERPT)
  const message = `The theme has no layout ${name} to choose. Its layouts are ${layouts.join(', ')}.`
  warn({ code: 'QN-UNKNOWN-LAYOUT', at: 'config.layout', message })
  return null
}

/** UTF-16 code units of an unknown name in a warning. */
const MAX_NAME_EXCERPT = 100

function documentFacts(
  live: LivePage,
  { locale, translations, switchPaths = [] }: InLanguage,
): DocumentFacts {
  const { page, path } = live
  const { meta } = page
  return {
    path,
    canonicalPath: latestPath(path, switchPaths, live.settings),
    title: page.title,
    metaTitle: textOrNull(meta.title),
    description:
      textOrNull(meta.description) ?? textOrNull(truncateText(page.description, MAX_META_DESCRIPTION)),
    keywords: textOrNull(meta.keywords),
    robots:
      textOrNull(meta.robots) ??
      (notFoundKey(path, live.settings) !== null || isOldVersion(path, live.settings) ? 'noindex' : null),
    image: page.ogImageUrl,
    ogType: page.type === 'article' ? 'article' : 'website',
    published: page.type === 'article' ? live.fields.publishDate : null,
    modified: page.type === 'article' ? writtenLastEdit(live) : null,
    markdown: twinKey(path),
    json: page.type === 'item' ? itemFileKey(path) : null,
    feed: locale === null ? null : fileInLocale(SITE_FEED, locale, live.settings.locales),
    structuredData: [...structuredData(live), ...faqData(sectionsOf(page))],
    alternates:
      locale === null || isOldVersion(path, live.settings)
        ? []
        : alternatesOf({ path, locale: locale.code }, translations, live.settings.locales),
  }
}

function neighboursView(
  { context: { neighbours } }: LivePage,
  labels: Labels,
  lang: string,
  rendering: Rendering,
): NeighboursView | null {
  if (neighbours === null) return null
  const step = (to: NavStep | null) => (to === null ? null : stepView(to, rendering))
  return {
    newer: step(neighbours.newer),
    older: step(neighbours.older),
    related: postViews(neighbours.related, lang, rendering),
    series: neighbours.series === undefined ? null : seriesView(neighbours.series, labels, rendering),
  }
}

function seriesView({ name, parts, index }: SeriesParts, labels: Labels, rendering: Rendering): SeriesView {
  const steps = parts.map((part, place) => ({ ...stepView(part, rendering), current: place === index }))
  const step = (place: number) => steps[place] ?? null
  return {
    name,
    numbered: (labels['part'] ?? '').replace('{n}', `${index + 1}`).replace('{count}', `${parts.length}`),
    parts: steps,
    previous: step(index - 1),
    next: step(index + 1),
  }
}

function stepView({ title, path }: NavStep, { links }: Rendering): StepView {
  return { title, href: path === null ? null : links.page(path) }
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

/** A docs page without navigation shows an empty one. */
function docsContextOf({ page, context }: LivePage): DocsContext {
  return context.docs ?? { home: page.subroute, branch: [], breadcrumbs: [], previous: null, next: null }
}

function listingStep(live: LivePage, { links }: Rendering): StepView | null {
  const folder = listingFolder(live)
  if (folder === null) return null
  return { title: listingTitle(folder, live.site), href: links.page(listingPath(folder, null)) }
}
