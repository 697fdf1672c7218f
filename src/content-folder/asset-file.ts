import { NO_PLACE, type SiteAsset, type SiteFault } from './site.ts'

const FOLDER = 'static/'

/** Names with an extension, so that no asset lies where the folder of a page would be. */
const SAFE = /^([a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)+$/i

/** What Quoin itself writes. */
const RESERVED = /(^|\/)index\.(html|md)$|^(404\.html|feed\.xml|llms\.txt|robots\.txt|sitemap\.xml)$/

/** Beneath `static/`: served as it is. */
export function isAssetFile(path: string): boolean {
  return path.startsWith(FOLDER)
}

export function readAsset(source: string): {
  readonly asset: SiteAsset | null
  readonly faults: readonly SiteFault[]
} {
  const path = source.slice(FOLDER.length)
  const fault = nameFault(path)
  if (fault !== null)
    return { asset: null, faults: [{ file: source, ...NO_PLACE, field: null, message: fault }] }
  return { asset: { path, source }, faults: [] }
}

function nameFault(path: string): string | null {
  if (RESERVED.test(path)) return 'Quoin writes a file of this name itself.'
  return SAFE.test(path)
    ? null
    : 'The name must be letters, digits, ".", "-" and "_", begin with a letter or digit, and have an extension.'
}
