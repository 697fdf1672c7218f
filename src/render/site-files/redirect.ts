import type { Artifact } from '../../domain/artifact.ts'
import type { PlacedPage } from '../../domain/live-page.ts'
import { redirectHref, redirectKey } from '../../domain/redirect-path.ts'
import { canonicalUrl } from '../page/head-view.ts'

/**
 * What lies at a path that a page has left, or is to be found at besides: it leads every visitor on, with or without script and
 * wherever the site is served. It says nothing of the page but where it is, so that only a move changes it.
 *
 * @param from that path.
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
