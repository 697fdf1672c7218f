import type { JsonObject } from '../../domain/json.ts'
import { listingFolder, listingPath } from '../../domain/listing.ts'
import type { LivePage, NavStep } from '../../domain/live-page.ts'
import type { Author } from '../../domain/page.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { absoluteLinks, authorHref } from '../links/links.ts'
import { listingTitle } from '../listing/listing.ts'
import { canonicalUrl, type Site, shareImage } from './head-view.ts'
import { itemSteps } from './item-steps.ts'
import { writtenLastEdit } from './last-edit.ts'

/**
 * JSON-LD objects of a page for search engines. Source: https://schema.org and
 * https://developers.google.com/search/docs/appearance/structured-data
 */
export function structuredData(live: LivePage): readonly JsonObject[] {
  const { page, path, context } = live
  const found = [
    ...(path === '/' ? [organization(live), webSite(live)] : []),
    page.type === 'article' ? article(live) : null,
    page.type === 'docs' ? { ...work(live), '@type': 'TechArticle' } : null,
    breadcrumbs(live, context.docs?.breadcrumbs ?? [...listingSteps(live), ...itemSteps(live)]),
  ]
  return found.flatMap((data) => (data === null ? [] : [{ '@context': 'https://schema.org', ...data }]))
}

function organization(of: Site): JsonObject {
  const { site, settings, media } = of
  const logo =
    settings.logoUrl === null
      ? null
      : authorHref(settings.logoUrl, absoluteLinks(site.origin, media), 'image')
  return {
    '@type': 'Organization',
    name: site.name,
    url: canonicalUrl(site, '/'),
    ...(logo === null ? {} : { logo: absolute(logo, canonicalUrl(site, '/')) }),
  }
}

function webSite({ site }: Site): JsonObject {
  return { '@type': 'WebSite', name: site.name, url: canonicalUrl(site, '/') }
}

function article(live: LivePage): JsonObject {
  const { fields } = live
  return {
    ...work(live),
    '@type': 'Article',
    ...(fields.publishDate === null ? {} : { datePublished: fields.publishDate }),
    ...(fields.author === null ? {} : { author: person(fields.author, live) }),
  }
}

/** Returns the structured data that articles and docs pages share. */
function work(live: LivePage): JsonObject {
  const { page, site, path } = live
  const image = shareImage({ path, image: page.ogImageUrl }, live)
  const modified = writtenLastEdit(live)
  return {
    headline: page.title,
    ...(page.description === '' ? {} : { description: page.description }),
    ...(image === null ? {} : { image }),
    ...(modified === null ? {} : { dateModified: modified }),
    publisher: { '@type': 'Organization', name: site.name },
    mainEntityOfPage: canonicalUrl(site, path),
  }
}

function person({ name, url }: Author, { site, path, media }: LivePage): JsonObject {
  const href = url === undefined ? null : authorHref(url, absoluteLinks(site.origin, media), 'link')
  const found = href === null ? null : absolute(href, canonicalUrl(site, path))
  return { '@type': 'Person', name, ...(found !== null && /^https?:/.test(found) && { url: found }) }
}

function listingSteps(live: LivePage): readonly NavStep[] {
  const folder = listingFolder(live)
  return folder === null ? [] : [{ title: listingTitle(folder, live.site), path: listingPath(folder, null) }]
}

function breadcrumbs({ page, path, site }: LivePage, steps: readonly NavStep[]): JsonObject | null {
  if (steps.length === 0) return null
  const all = [...steps, { title: page.title, path }]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: all.map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: step.title,
      ...(step.path === null ? {} : { item: canonicalUrl(site, step.path) }),
    })),
  }
}

function absolute(url: string, base: string): string {
  return parseUrl(url, base)?.href ?? url
}
