import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { normalForm } from '../domain/normal-form.ts'
import { NOT_FOUND_FILE } from '../domain/not-found-page.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { fileKind, privateReason, STATIC_FOLDER } from './file-kind.ts'
import type { SiteAsset } from './site.ts'

/** Folders and files that Quoin writes for every site. Systems that ignore case would mix them up with others. */
const RESERVED =
  /^((_assets|_media|_nav|_search|\.quoin)(\/|$)|(404\.html|feed\.xml|llms\.txt|sitemap[^/]*\.xml|_index\.json|_feed\.json|_search\.json)$)/i

/** Characters that Windows, URLs or terminals cannot have in a name: their own marks, control and direction characters. */
const UNSAFE_CHARACTER =
  /[\\:*?"<>|%#\p{Cc}\p{Cs}\p{Co}\u00ad\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u

/** Reports whether a file is served unchanged: a file of `static/`, or one next to pages that a page may name. */
export function isAssetFile(path: string): boolean {
  const kind = fileKind(path)
  return kind === 'static' || kind === 'attachment'
}

/** The key at which a file is served: its path in the content folder, without `static/`. Composed (NFC), as URLs are. */
export function assetKey(source: string): string {
  const key = source.startsWith(STATIC_FOLDER) ? source.slice(STATIC_FOLDER.length) : source
  return normalForm(key)
}

/** The path of a file on the site as links write it, e.g. `/blog/my%20trip.png`. */
export function assetPath(key: string): string {
  return `/${key.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@').replaceAll('%2B', '+')}`
}

/** @param source a file of `static/`, or one next to pages. */
export function readAsset(source: string): {
  readonly asset: Pick<SiteAsset, 'path' | 'source'> | null
  readonly errors: readonly Diagnostic[]
} {
  const path = assetKey(source)
  const reason = fileKind(source) === 'private' ? privateReason(source) : invalidNameReason(path)
  if (reason === null) return { asset: { path, source }, errors: [] }
  return { asset: null, errors: [diagnostic('QN-BAD-ASSET-NAME', source, reason)] }
}

function invalidNameReason(path: string): string | null {
  if (path === NOT_FOUND_FILE) return 'Quoin generates this file. Write a page 404.md instead.'
  if (RESERVED.test(path)) return 'Quoin generates a file of this name. Rename this one.'
  const [character] = UNSAFE_CHARACTER.exec(path) ?? []
  if (character !== undefined)
    return `The name must not contain ${nameOf(character)}: a system or a URL cannot have it in a name. Rename the file.`
  if (path.split('/').some((name) => name !== name.trim() || name.endsWith('.')))
    return 'A name must not begin or end with a blank, or end with a dot: some systems leave it out. Rename the file.'
  return isSafeKey(path) ? null : 'The path is too long for a web server. Shorten the names.'
}

function nameOf(character: string): string {
  const isVisible = /[!-~]/.test(character)
  return isVisible
    ? `"${character}"`
    : `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
