import type { Artifact } from '../../domain/artifact.ts'
import type { PlacedPage } from '../../domain/live-page.ts'
import { redirectHref, redirectKey } from '../../domain/redirect-path.ts'
import { canonicalUrl } from '../page/head-view.ts'

/**
 * A redirect from a former or additional path of a page. Works without JavaScript and wherever the site is
 * served. Contains only the page's address, so that it changes only when the page moves.
 *
 * @param from the former or additional path.
 */
export function redirectArtifact(from: string, { page, site, path }: PlacedPage): Artifact {
  const href = redirectHref(from, path)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved to ${path}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="canonical" href="${new URL(canonicalUrl(site, path)).href}">
<meta http-equiv="refresh" content="0; url=${href}">
</head>
<body>
<p>This page has moved to <a href="${href}">${path}</a>.</p>
</body>
</html>
`
  return {
    key: redirectKey(from),
    stage: 'page',
    body: Buffer.from(html),
    owner: { kind: 'redirect', id: page.id },
  }
}
