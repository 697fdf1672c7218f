import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Settings } from '../domain/settings.ts'
import type { ContentLink } from '../render/page/rendering.ts'

/** The links that `site.yaml` puts on every page: header, footer, and the images of the site. */
export function siteLinks(settings: Settings): readonly ContentLink[] {
  const { logoUrl, faviconUrl, ogImageUrl, navLinks, sharedFooter } = settings
  const pictures = { logo: logoUrl, favicon_url: faviconUrl, og_image_url: ogImageUrl }
  return [
    ...Object.entries(pictures).flatMap(([at, href]) =>
      href === null ? [] : [{ at, href, kind: 'image' as const }],
    ),
    ...navLinks.flatMap(({ href }, index) => linksIn({ href }, `nav_links[${index}]`)),
    ...sharedFooter.links.flatMap((link, index) => linksIn(link, `shared_footer.links[${index}]`)),
  ]
}

/** The links of an entry and of its group. A `#fragment` alone refers to the page that shows the link, so it is skipped. */
function linksIn(entry: JsonValue, at: string): readonly ContentLink[] {
  if (!isJsonObject(entry)) return []
  const { href, links } = entry
  const own =
    typeof href === 'string' && !href.startsWith('#')
      ? [{ at: `${at}.href`, href, kind: 'link' as const }]
      : []
  const inner = Array.isArray(links) ? links : []
  return [...own, ...inner.flatMap((link, index) => linksIn(link, `${at}.links[${index}]`))]
}
