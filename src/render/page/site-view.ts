import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { NavLink } from '../../domain/settings.ts'
import type { LinkView, SiteView } from '../../theme/view.ts'
import { assetsHref, hrefIn, isExternalUrl, pagePath } from '../links/links.ts'
import type { SearchAssets } from './assets.ts'
import type { Site } from './head-view.ts'
import { markdownIn } from './prop-html.ts'
import type { Rendering } from './rendering.ts'

/** @param path of the document; null when no link can be the current one. */
export function siteView(
  { site, settings }: Site,
  path: string | null,
  { search, searchStyle, stemmer }: SearchAssets,
  rendering: Rendering,
): SiteView {
  const { links } = rendering
  return {
    name: site.name,
    filesHref: assetsHref(links),
    href: hrefIn(links),
    data: settings.data,
    markdown: markdownIn(rendering, 'text'),
    homeHref: links.page('/'),
    search: {
      script: links.file(search.key),
      style: links.file(searchStyle.key),
      stemmer: stemmer === null ? null : links.file(stemmer.key),
    },
    logo: settings.logoUrl === null ? null : rendering.url(settings.logoUrl, 'image', 'logo'),
    navLinks: settings.navLinks.flatMap((link, index) =>
      linkViews(link, `nav_links[${index}]`, path, rendering),
    ),
    footer: {
      text: orNull(settings.footerText),
      copyright: orNull(settings.sharedFooter.copyright),
      groups: footerGroups(settings.sharedFooter.links, path, rendering),
    },
  }
}

type LinkInput = Pick<NavLink, 'label' | 'href'> & { readonly external?: boolean | undefined }

function linkViews(
  { label, href: raw, external }: LinkInput,
  at: string,
  path: string | null,
  rendering: Rendering,
): LinkView[] {
  const href = rendering.url(raw, 'link', `${at}.href`)
  if (href === null) return []
  return [
    {
      label,
      href,
      external: external ?? isExternalUrl(raw),
      current: !raw.includes('#') && isCurrent(pagePath(raw), path),
    },
  ]
}

/** True when the document is the link's target or below it. */
function isCurrent(target: string | null, path: string | null): boolean {
  if (target === null || path === null) return false
  return target === path || (target !== '/' && path.startsWith(`${target}/`))
}

type FooterGroup = SiteView['footer']['groups'][number]

/** The written groups, then a group of the links that are in none. */
function footerGroups(
  entries: readonly JsonValue[],
  path: string | null,
  rendering: Rendering,
): FooterGroup[] {
  const titled: FooterGroup[] = []
  const loose: LinkView[] = []
  for (const [index, entry] of entries.entries()) {
    if (!isJsonObject(entry)) continue
    const at = `shared_footer.links[${index}]`
    const { links } = entry
    if (Array.isArray(links)) {
      titled.push({
        title: firstText(entry, ['title', 'label']),
        links: links.flatMap((link, place) =>
          writtenLinkViews(link, `${at}.links[${place}]`, path, rendering),
        ),
      })
    } else loose.push(...writtenLinkViews(entry, at, path, rendering))
  }
  return [...titled, { title: null, links: loose }].filter(({ links }) => links.length > 0)
}

function writtenLinkViews(
  value: JsonValue,
  at: string,
  path: string | null,
  rendering: Rendering,
): LinkView[] {
  if (!isJsonObject(value)) return []
  const label = firstText(value, ['label', 'text', 'title'])
  const href = firstText(value, ['href', 'url', 'link'])
  if (label === null || href === null) return []
  const external = typeof value['external'] === 'boolean' ? value['external'] : undefined
  return linkViews({ label, href, external }, at, path, rendering)
}

function firstText(object: JsonObject, names: readonly string[]): string | null {
  const texts = names.map((name) => object[name])
  return texts.find((text) => typeof text === 'string' && text !== '')?.toString() ?? null
}

function orNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}
