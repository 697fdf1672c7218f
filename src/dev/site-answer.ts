import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type Artifact, objectHeaders } from '../domain/artifact.ts'
import { pathOfKey, redirectHref } from '../domain/redirect-path.ts'
import type { PageNow } from '../preview-site/in-memory-site.ts'
import type { PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { type MadeFile, makeFile } from '../preview-site/render-file.ts'
import type { Shown } from '../preview-site/shown-site.ts'
import type { ThemeAsset } from '../theme/theme.ts'
import type { DevSession } from './dev-session.ts'
import { type DevDocument, devDocument } from './document.ts'

/** What is served at a path of the site. */
export type SiteAnswer =
  | {
      readonly kind: 'document'
      readonly status: number
      readonly document: DevDocument
      readonly page: PageNow | null
      readonly faults: readonly PreviewDiagnostic[]
    }
  | {
      readonly kind: 'file'
      readonly contentType: string
      readonly body: Uint8Array
      readonly isForGood: boolean
      readonly tag: string | null
    }
  /** The same path with a slash at its end. */
  | { readonly kind: 'folder' }
  /** Where the page is that this leads to, relative to the path. */
  | { readonly kind: 'moved'; readonly href: string }

/** Made of all pages at once. */
const WHOLE =
  /^(_index\.json|_feed\.json|feed\.xml|robots\.txt|llms\.txt|sitemap[^/]*\.xml|_search\.json|_search\/[^/]+)$/

/** Style and script of pages as they were a while ago: what was loaded then may still ask for them. */
const MAX_ASSETS = 1000

export type SiteAnswers = ReturnType<typeof createSiteAnswers>

export interface SitePorts {
  /** The content folder. */
  readonly folder: string
  readonly session: DevSession
}

/** Answers what is asked of the site, in the theme that is asked for. */
export function createSiteAnswers({ folder, session }: SitePorts) {
  const assets = new LRUCache<string, Uint8Array>({ max: MAX_ASSETS })

  return {
    /** A document that stands on no page of the site, and the style and script it names. */
    besides(html: string, files: readonly Pick<Artifact, 'key' | 'body'>[]): SiteAnswer {
      for (const { key, body } of files) assets.set(key, body)
      return document(200, Buffer.from(html), null, [])
    },

    /** In the place of a document that cannot be made. */
    failed(fault: PreviewDiagnostic): SiteAnswer {
      session.note([fault])
      return document(500, null, null, [fault])
    },

    /**
     * @param path decoded, without the slash at its beginning.
     * @param theme that is tried; null follows pages and site.
     */
    async answer(path: string, theme: string | null): Promise<SiteAnswer> {
      const { shown } = session.standing()
      const asset = assets.get(path) ?? (shown === null ? undefined : themeAsset(path, shown))
      if (asset !== undefined) return file(path, asset, { isForGood: true })
      if (shown === null) return document(500, null, null, [])
      const isFolder = path === '' || path.endsWith('/')
      const moved = movedTo(isFolder ? `${path}index.html` : path, shown)
      if (moved !== null) return moved
      const made = isFolder ? await make(`${path}index.html`, theme, shown) : await fileAt(path, theme, shown)
      if (made !== null && 'kind' in made) return made
      if (made !== null) return toAnswer(path, made)
      const index = `${path}/index.html`
      const isThere = async () => movedTo(index, shown) !== null || (await make(index, theme, shown)) !== null
      if (!isFolder && (await isThere())) return { kind: 'folder' }
      const notFound = await make('404.html', theme, shown)
      return document(404, notFound?.body ?? null, null, notFound?.errors ?? [])
    },
  }

  async function fileAt(
    path: string,
    theme: string | null,
    shown: Shown,
  ): Promise<MadeFile | SiteAnswer | null> {
    const source = shown.site.statics.get(path)
    if (source !== undefined) return staticFile(path, join(folder, source))
    if (!WHOLE.test(path)) return make(path, theme, shown)
    const body = (await session.whole())?.files.get(path)
    return body === undefined ? null : file(path, body, {})
  }

  async function make(key: string, theme: string | null, shown: Shown): Promise<MadeFile | null> {
    const made = await makeFile(key, theme, shown, session.lastRendered)
    for (const { key, body } of made?.assets ?? []) assets.set(key, body)
    if (made !== null && made.errors.length > 0) session.note(made.errors)
    return made
  }

  function toAnswer(path: string, { body, errors: faults, page }: MadeFile): SiteAnswer {
    const isDocument = path === '' || /(\/|\.html)$/.test(path)
    if (isDocument) return document(body === null ? 500 : 200, body, page, faults)
    return body === null ? document(500, null, page, faults) : file(path, body, {})
  }

  function document(
    status: number,
    body: Uint8Array | null,
    page: PageNow | null,
    faults: readonly PreviewDiagnostic[],
  ): SiteAnswer {
    const html = Buffer.from(body ?? FAULTY).toString()
    return { kind: 'document', status, document: devDocument(html, session.touched), page, faults }
  }
}

/** Shown until a page can be made for the first time; what is wrong is laid over it. */
const FAULTY = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Quoin</title>
</head>
<body>
<noscript>The page cannot be made. The terminal says why.</noscript>
</body>
</html>
`)

function movedTo(key: string, { site }: Shown): SiteAnswer | null {
  const target = site.redirects.get(key)
  return target === undefined ? null : { kind: 'moved', href: redirectHref(pathOfKey(key), target) }
}

function themeAsset(path: string, { themes }: Shown): Uint8Array | undefined {
  const all = [...themes.values()].flatMap(({ assets, files }) => [
    ...Object.values<ThemeAsset>({ ...assets }),
    ...files.values(),
  ])
  return path.startsWith('_assets/') ? all.find(({ key }) => key === path)?.body : undefined
}

function file(
  path: string,
  body: Uint8Array,
  { isForGood = false, tag = null }: { readonly isForGood?: boolean; readonly tag?: string | null },
): SiteAnswer {
  return { kind: 'file', contentType: objectHeaders(path).contentType, body, isForGood, tag }
}

/** Null for a file that has gone since the folder was read, or became a link that leads elsewhere. */
async function staticFile(path: string, place: string): Promise<SiteAnswer | null> {
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null)
  if (handle === null) return null
  try {
    return file(path, await handle.readFile(), { tag: tagOf(await handle.stat()) })
  } finally {
    await handle.close()
  }
}

function tagOf({ size, mtimeMs }: Stats): string {
  return `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
}
