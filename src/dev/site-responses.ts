import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { usualPath } from '../content-folder/page-file.ts'
import type { FolderRedirect } from '../content-folder/site.ts'
import { type Artifact, objectHeaders } from '../domain/artifact.ts'
import { MEDIA_PREFIX } from '../domain/media.ts'
import { normalForm } from '../domain/normal-form.ts'
import { notFoundKeysFor } from '../domain/not-found-page.ts'
import { pathOfKey, redirectHref } from '../domain/redirect-path.ts'
import { isFilePath, pathFolder, urlPath } from '../domain/route.ts'
import { foldedAddress } from '../domain/slug.ts'
import type { InMemoryPage } from '../preview-site/in-memory-site.ts'
import type { PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { type RenderedFile, renderFile } from '../preview-site/render-file.ts'
import type { RenderableSite } from '../preview-site/renderable-site.ts'
import { assetsOf } from '../theme/theme-asset.ts'
import { type DevDocument, devDocument } from './dev-document.ts'
import type { DevPictures } from './dev-pictures.ts'
import type { DevSession } from './dev-session.ts'

/** The response to a request for a path. */
export type SiteResponse =
  | {
      readonly kind: 'document'
      readonly status: number
      readonly document: DevDocument
      readonly page: InMemoryPage | null
      readonly errors: readonly PreviewDiagnostic[]
    }
  | {
      readonly kind: 'file'
      readonly contentType: string
      readonly body: Uint8Array
      readonly isImmutable: boolean
    }
  /** A file of the content folder, which may be large. */
  | {
      readonly kind: 'asset'
      readonly contentType: string
      /** Coding of the bytes of the file; absent for none. */
      readonly contentEncoding?: 'gzip'
      readonly location: string
      /** In bytes. */
      readonly size: number
      readonly etag: string
    }
  /** A redirect to the same path with a trailing slash. */
  | { readonly kind: 'folder' }
  /** A redirect of the site. `href` is relative to the path, or the address of another site. */
  | { readonly kind: 'moved'; readonly href: string }

/** Files that depend on all pages. */
const WHOLE_SITE_FILE =
  /^(_index\.json|(?:(?!.*\btags\/).+\/)?(?:_feed\.json|feed\.xml)|robots\.txt|llms(?:-full)?\.txt|sitemap[^/]*\.xml|_search\.json|_search\/[^/]+)$/

/** Cached styles and scripts. Documents that were loaded before a change still request the old ones. */
const MAX_ASSETS = 1000

export type SiteResponder = ReturnType<typeof createSiteResponder>

export interface SiteResponderPorts {
  /** The content folder. */
  readonly folder: string
  readonly session: DevSession
  /** Absent: there are no derived images. */
  readonly pictures?: Pick<DevPictures, 'file'>
}

/** Responds to requests for paths of the site, in any theme. */
export function createSiteResponder({ folder, session, pictures }: SiteResponderPorts) {
  const assets = new LRUCache<string, Uint8Array>({ max: MAX_ASSETS })

  return {
    /** A document outside of the site, with its linked styles and scripts. */
    standalone(html: string, files: readonly Pick<Artifact, 'key' | 'body'>[]): SiteResponse {
      for (const { key, body } of files) assets.set(key, body)
      return document(200, Buffer.from(html), null, [])
    },

    /** A document that cannot be rendered. */
    failed(error: PreviewDiagnostic): SiteResponse {
      session.addErrors([error])
      return document(500, null, null, [error])
    },

    /**
     * @param path decoded, without the leading slash.
     * @param theme overrides the theme of the site and of its pages; null follows them.
     */
    async respond(path: string, theme: string | null): Promise<SiteResponse> {
      const { renderable } = session.state()
      const asset = assets.get(path) ?? (renderable === null ? undefined : themeAsset(path, renderable))
      if (asset !== undefined) return file(path, asset, { isImmutable: true })
      if (renderable === null) return document(500, null, null, [])
      const isFolder = path === '' || path.endsWith('/')
      const moved = redirectAt(isFolder ? `${path}index.html` : path, renderable)
      if (moved !== null) return moved
      // A file of `static/` may be the `index.html` of a folder without a page.
      const found = isFolder
        ? ((await render(`${path}index.html`, theme, renderable)) ??
          (await assetAt(`${path}index.html`, renderable)))
        : await fileAt(path, theme, renderable)
      if (found !== null && 'kind' in found) return found
      if (found !== null) return toResponse(path, found)
      const to = renderable.site.siteRedirects.get(`/${path}`.replace(/\/(index\.html)?$/, ''))
      if (to !== undefined) return { kind: 'moved', href: targetHref(to) }
      const faults = faultsAt(`/${path.replace(/\/$/, '')}`, renderable)
      if (isFolder && faults.length > 0) return document(500, null, null, faults)
      const index = `${path}/index.html`
      const hasIndex = async () =>
        faults.length > 0 ||
        redirectAt(index, renderable) !== null ||
        renderable.site.statics.has(index) ||
        (await render(index, theme, renderable)) !== null
      if (!isFolder && (await hasIndex())) return { kind: 'folder' }
      const page = `${foldedAddress(path).replace(/\/$/, '')}/`
      if (page !== path && (await render(`${page}index.html`, theme, renderable)) !== null)
        return { kind: 'moved', href: `/${urlPath(page)}` }
      const notFound = await nearestNotFound(path, theme, renderable)
      return document(404, notFound?.body ?? null, null, notFound?.errors ?? [])
    },
  }

  async function nearestNotFound(path: string, theme: string | null, renderable: RenderableSite) {
    for (const key of notFoundKeysFor(path)) {
      const found = await render(key, theme, renderable)
      if (found !== null) return found
    }
    return null
  }

  async function fileAt(
    path: string,
    theme: string | null,
    renderable: RenderableSite,
  ): Promise<RenderedFile | SiteResponse | null> {
    const asset = await assetAt(path, renderable)
    if (asset !== null) return asset
    if (!WHOLE_SITE_FILE.test(path)) return render(path, theme, renderable)
    const body = (await session.whole())?.files.get(path)
    return body === undefined ? null : file(path, body, {})
  }

  async function assetAt(path: string, { site }: RenderableSite): Promise<SiteResponse | null> {
    if (path.startsWith(MEDIA_PREFIX)) {
      const derived = (await pictures?.file(normalForm(path))) ?? null
      return derived === null ? null : assetFile(path, derived)
    }
    const source = site.statics.get(normalForm(path))
    return source === undefined ? null : assetFile(path, join(folder, source))
  }

  async function render(
    key: string,
    theme: string | null,
    renderable: RenderableSite,
  ): Promise<RenderedFile | null> {
    const rendered = await renderFile(key, theme, renderable, session.lastRendered)
    for (const { key, body } of rendered?.assets ?? []) assets.set(key, body)
    if (rendered !== null && rendered.errors.length > 0) session.addErrors(rendered.errors)
    return rendered
  }

  /** Errors of the file whose page would be at a path. */
  function faultsAt(path: string, { site }: RenderableSite): readonly PreviewDiagnostic[] {
    return session.state().faults.filter(({ file }) => usualPath(file, site.settings.siteRoutes) === path)
  }

  function toResponse(path: string, { body, errors, page }: RenderedFile): SiteResponse {
    const isDocument = path === '' || /(\/|\.html)$/.test(path)
    if (isDocument) return document(body === null ? 500 : 200, body, page, errors)
    return body === null ? document(500, null, page, errors) : file(path, body, {})
  }

  function document(
    status: number,
    body: Uint8Array | null,
    page: InMemoryPage | null,
    errors: readonly PreviewDiagnostic[],
  ): SiteResponse {
    const html = Buffer.from(body ?? PLACEHOLDER).toString()
    const own = page === null ? [] : session.state().faults.filter(({ file }) => file === page.written.source)
    return {
      kind: 'document',
      status,
      document: devDocument(html, session.changedAssets),
      page,
      errors: [...own, ...errors],
    }
  }
}

/** An empty document that shows the error overlay until the page can be rendered for the first time. */
const PLACEHOLDER = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Quoin</title>
</head>
<body>
<noscript>The page cannot be rendered. See the terminal for the error.</noscript>
</body>
</html>
`)

function redirectAt(key: string, { site }: RenderableSite): SiteResponse | null {
  const target = site.redirects.get(key)
  return target === undefined ? null : { kind: 'moved', href: redirectHref(pathOfKey(key), target) }
}

/** A page is at a folder, and everything else with a name like a file's is a file. */
function targetHref(to: FolderRedirect['to']): string {
  if (to.kind === 'url') return to.url
  const place = isFilePath(to.path) ? to.path : `/${pathFolder(to.path)}`
  return `${urlPath(place)}${to.fragment === null ? '' : `#${encodeURIComponent(to.fragment)}`}`
}

function themeAsset(path: string, { themes }: RenderableSite): Uint8Array | undefined {
  if (!path.startsWith('_assets/')) return undefined
  return [...themes.values()].flatMap(assetsOf).find(({ key }) => key === path)?.body
}

function file(
  path: string,
  body: Uint8Array,
  { isImmutable = false }: { readonly isImmutable?: boolean },
): SiteResponse {
  return { kind: 'file', contentType: objectHeaders(path).contentType, body, isImmutable }
}

/** Returns null for a file that was removed or replaced with a symbolic link after the folder was read. */
async function assetFile(path: string, location: string): Promise<SiteResponse | null> {
  const stats = await lstat(location).catch(() => null)
  if (!stats?.isFile()) return null
  const { cacheControl, ...headers } = objectHeaders(path)
  return { kind: 'asset', ...headers, location, size: stats.size, etag: etagOf(stats) }
}

function etagOf({ size, mtimeMs }: Stats): string {
  return `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
}
