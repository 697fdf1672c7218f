import type { Artifact } from '../../domain/artifact.ts'
import type { PlacedPage, SiteIdentity } from '../../domain/live-page.ts'
import { redirectHref, redirectKey } from '../../domain/redirect-path.ts'
import { depthOfKey, endHref, type RedirectEnd } from '../../domain/site-redirect.ts'
import { canonicalUrl } from '../page/head-view.ts'
import { xmlText } from './xml.ts'

/**
 * A redirect from a former or additional path of a page. Works without JavaScript and wherever the site is
 * served. Contains only the page's address, so that it changes only when the page moves.
 *
 * @param from the former or additional path.
 */
export function redirectArtifact(
  from: string,
  { page, site, path }: Pick<PlacedPage, 'site' | 'path'> & { readonly page: Pick<PlacedPage['page'], 'id'> },
): Artifact {
  return {
    key: redirectKey(from),
    stage: 'page',
    body: redirectDocument({
      name: path,
      href: redirectHref(from, path),
      canonical: new URL(canonicalUrl(site, path)).href,
    }),
    owner: { kind: 'redirect', id: page.id },
  }
}

/** The document of a redirect that belongs to no page. @param key of the document. */
export function siteRedirectArtifact(key: string, end: RedirectEnd, site: SiteIdentity): Artifact {
  const absolute = end.kind === 'url' ? end.url : new URL(`.${endHref(end, null)}`, `${site.origin}/`).href
  return {
    key,
    stage: 'index',
    body: redirectDocument({
      name: end.kind === 'url' ? end.url : end.path,
      href: endHref(end, depthOfKey(key)),
      canonical: absolute.replace(/#.*/, ''),
    }),
    owner: { kind: 'site-redirect', id: '' },
  }
}

function redirectDocument({
  name,
  href,
  canonical,
}: {
  readonly name: string
  readonly href: string
  readonly canonical: string
}): Uint8Array {
  const [title, link, target] = [name, href, canonical].map(xmlText)
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved to ${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="canonical" href="${target}">
<meta http-equiv="refresh" content="0; url=${link}">
</head>
<body>
<p>This page has moved to <a href="${link}">${title}</a>.</p>
</body>
</html>
`)
}
