import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { SiteAsset } from './site.ts'

const FOLDER = 'static/'

/** Requires an extension, so that no asset is at the path of a page's folder. */
const SAFE = /^([a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)+$/i

/** Files that Quoin generates. */
const RESERVED = /(^|\/)index\.(html|md)$|^(404\.html|feed\.xml|llms\.txt|robots\.txt|sitemap\.xml)$/

/** Whether a file is in `static/` and thus served unchanged. */
export function isAssetFile(path: string): boolean {
  return path.startsWith(FOLDER)
}

export function readAsset(source: string): {
  readonly asset: SiteAsset | null
  readonly errors: readonly Diagnostic[]
} {
  const path = source.slice(FOLDER.length)
  const reason = invalidNameReason(path)
  if (reason === null) return { asset: { path, source }, errors: [] }
  return { asset: null, errors: [diagnostic('QN-BAD-ASSET-NAME', source, reason)] }
}

function invalidNameReason(path: string): string | null {
  if (RESERVED.test(path)) return 'Quoin generates a file of this name. Rename this one.'
  return SAFE.test(path)
    ? null
    : 'The name may contain letters, digits, ".", "-" and "_", must begin with a letter or digit, and needs an extension.'
}
