import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Settings } from '../domain/settings.ts'
import type { ContentLink } from '../render/page/rendering.ts'

/** What `site.yaml` leads to from every page: links of the header and the footer, and the pictures of the site. */
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

/** Of a link, or of a group of them. A place is one of whichever page the link stands on. */
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
