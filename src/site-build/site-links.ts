import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { NavEntry, Settings } from '../domain/settings.ts'
import type { ContentLink } from '../render/page/rendering.ts'

/** The links that `site.yaml` puts on every page: header, footer, and the images of the site. */
export function siteLinks(settings: Settings): readonly ContentLink[] {
  const { logoUrl, logoDarkUrl, faviconUrl, ogImageUrl, announcement, navLinks, sharedFooter } = settings
  const { links, legal = [] } = sharedFooter
  const pictures = {
    logo: logoUrl,
    logo_dark: logoDarkUrl,
    favicon_url: faviconUrl,
    og_image_url: ogImageUrl,
  }
  return [
    ...Object.entries(pictures).flatMap(([at, href]) =>
      href === null ? [] : [{ at, href, kind: 'image' as const }],
    ),
    ...linksIn({ href: announcement.href ?? null }, 'announcement'),
    ...navLinks.flatMap((entry, index) => linksIn(entry, `nav_links[${index}]`)),
    ...links.flatMap((entry, index) => linksIn(entry, `shared_footer.links[${index}]`)),
    ...legal.flatMap((link, index) => linksIn(link, `shared_footer.legal[${index}]`)),
  ]
}

/** The links of an entry and of its group. A `#fragment` alone refers to the page that shows the link, so it is skipped. */
function linksIn(entry: JsonValue | NavEntry, at: string): readonly ContentLink[] {
  if (!isJsonObject(entry)) return []
  const { href, links } = entry
  const own =
    typeof href === 'string' && !href.startsWith('#')
      ? [{ at: `${at}.href`, href, kind: 'link' as const }]
      : []
  const inner = Array.isArray(links) ? links : []
  return [...own, ...inner.flatMap((link, index) => linksIn(link, `${at}.links[${index}]`))]
}
