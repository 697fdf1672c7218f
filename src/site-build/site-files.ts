import type { AssetReference } from '../content-folder/assets.ts'
import type { Site, SiteAsset } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { DOT_NAMES } from '../domain/site-names.ts'
import type { FileBody } from '../platform/file-body.ts'
import { namedMedia } from './pictures/named-media.ts'
import { type SealedMedia, sealedMedia } from './pictures/sealed-media.ts'
import type { SitePictures } from './pictures/site-pictures.ts'
import type { StaticFile } from './static-files.ts'

/** Files that hosts and browsers request without a link. */
const HOST_FILES: ReadonlySet<string> = new Set([
  'robots.txt',
  'security.txt',
  'CNAME',
  '_headers',
  '_redirects',
  '_routes.json',
])

/** Reports whether a file of a site in Data Mode stays plain: its readers have no key. */
function isHostFile({ path }: Pick<SiteAsset, 'path'>): boolean {
  return HOST_FILES.has(path) || DOT_NAMES.has(path.split('/', 1)[0] ?? '')
}

/** The files of a site, and how each is published. */
export interface SiteFiles extends SealedMedia {
  /** Files published at their own paths. `bodies` has their bytes by path. */
  readonly assets: readonly SiteAsset[]
  readonly bodies: ReadonlyMap<string, FileBody>
  /** Published next to them, or in place of one. */
  readonly derived: readonly StaticFile[]
  /** Sources of files of a site in Data Mode that no page names. They are not published. */
  readonly unnamed: readonly string[]
  /** Warnings about style sheets and SVGs of a site in Data Mode that do not find the files they name. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * @param references what style sheets and SVGs name.
 * @param bodies of the assets, by path on the site.
 * @param contentKey of a site in Data Mode; null for another.
 */
export function siteFiles(
  { assets, pages }: Site,
  references: readonly AssetReference[],
  bodies: ReadonlyMap<string, FileBody>,
  pictures: SitePictures,
  contentKey: Uint8Array | null,
): SiteFiles {
  if (contentKey === null) {
    const { media, files: derived } = pictures
    return { media, assets, bodies, derived, originals: new Map(), unnamed: [], warnings: [] }
  }
  const sealed = sealedMedia(bodies, pictures)
  const named = new Set(pages.flatMap((page) => Object.keys(namedMedia(page, sealed.media) ?? {})))
  const published = new Set(
    assets.filter((asset) => isHostFile(asset) || named.has(asset.path)).map(({ source }) => source),
  )
  return {
    ...sealed,
    assets: assets.filter(isHostFile),
    bodies: new Map([...bodies].filter(([path]) => isHostFile({ path }))),
    derived: [],
    unnamed: assets.map(({ source }) => source).filter((source) => !published.has(source)),
    warnings: references.filter(({ file }) => published.has(file)).map(sealedReference),
  }
}

function sealedReference({ file, line, target }: AssetReference): Diagnostic {
  const what = /\.css$/i.test(file) ? 'A style sheet' : 'An SVG'
  const message = `${what} of a site in Data Mode does not find ${target}, because files are published encrypted, and only those that pages name. Embed it as a data: address.`
  return diagnostic('QN-SEALED-FILE', file, message, { line })
}
