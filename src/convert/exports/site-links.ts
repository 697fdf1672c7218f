import { schemeOf } from '../../domain/author-url.ts'
import { isAsset, isPicture } from '../files/asset-names.ts'
import { fullAddress } from '../html/pictures.ts'
import { type EntryRoutes, foldedPath } from './entry-routes.ts'
import type { ExportedSite } from './exported-site.ts'

export interface SiteLinks {
  /** The address of a link or file in the new site. Null for one that pages cannot have. */
  readonly addressOf: (address: string, kind: 'link' | 'file') => string | null
  /** Addresses of files that pages name and the new folder lacks, by their paths. Null when they are unknown. */
  readonly remote: ReadonlyMap<string, string | null>
  /** Files to copy, by their paths in the new folder's `static`. */
  readonly copied: ReadonlySet<string>
}

const UPLOAD = /^\/(?:wp-content\/|content\/(?:images|media|files)\/)/
const SAFE = new Set(['http', 'https', 'mailto', 'tel'])

/**
 * Leads links of a site to the pages of the new one, and its files to their copies.
 *
 * @param hasFile reports whether a file of the source site is next to the export, by its path without the first slash.
 */
export function siteLinks(
  site: Pick<ExportedSite, 'url' | 'targetOf' | 'imageHosts'>,
  { byAddress }: Pick<EntryRoutes, 'byAddress'>,
  hasFile: (path: string) => boolean,
): SiteLinks {
  const remote = new Map<string, string | null>()
  const copied = new Set<string>()
  const host = site.url === null ? null : site.url.replace(/^https?:\/\/(?:www\.)?/i, '').toLowerCase()
  return { addressOf, remote, copied }

  function addressOf(written: string, kind: 'link' | 'file'): string | null {
    const address = written.trim().replace(/\s/g, '%20')
    if (address === '' || address.startsWith('#')) return kind === 'link' ? address || null : null
    const path = ownPath(address)
    if (path !== null) return kind === 'file' || UPLOAD.test(path) ? fileAddress(path) : pageAddress(path)
    const scheme = schemeOf(address)
    const held = kind === 'file' && site.imageHosts?.test(address) === true ? heldPath(address) : null
    if (held !== null && hasFile(held)) {
      copied.add(held)
      return `/${held}`
    }
    if (held !== null) remote.set(held, address)
    if (address.startsWith('//')) return `https:${address}`
    return scheme === null || (SAFE.has(scheme) && (kind === 'link' || scheme.startsWith('http')))
      ? address
      : null
  }

  /** The path of an address of the site itself, with its query and fragment. Null for another site's. */
  function ownPath(address: string): string | null {
    if (address.startsWith('__GHOST_URL__'))
      return `/${address.slice('__GHOST_URL__'.length).replace(/^\/+/, '')}`
    if (/^\/(?!\/)/.test(address)) return address
    const bare = address.replace(/^(?:https?:)?\/\/(?:www\.)?/i, '')
    if (host === null || bare === address || !bare.toLowerCase().startsWith(host)) return null
    const rest = bare.slice(host.length)
    return rest === '' || /^[/?#]/.test(rest) ? `/${rest.replace(/^\/+/, '')}` : null
  }

  function pageAddress(path: string): string {
    const [, bare = '/', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(path) ?? []
    const target = site.targetOf?.(bare, query) ?? null
    if (target?.kind === 'file') return addressOf(target.address, 'file') ?? path
    const route = byAddress.get(foldedPath(target?.address ?? bare))
    if (route !== undefined) return `/${route}${target === null ? query : ''}${fragment}`
    return target === null ? path : `${target.address}${fragment}`
  }

  function fileAddress(path: string): string {
    const bare = path.replace(/[?#].*$/s, '').slice(1)
    // Smaller copies are derived again from the full picture.
    const full = fullAddress(bare)
    // Authors of posts name any file. Only uploads are copied, and later published.
    const found = UPLOAD.test(path) && isAsset(bare) ? [full, bare].find(hasFile) : undefined
    if (found !== undefined) {
      copied.add(found)
      return `/${found}`
    }
    const missing = bare.startsWith('content/') ? full : bare
    remote.set(missing, site.url === null ? null : `${site.url}/${missing}`)
    return site.url === null ? `/${full}` : `${site.url}${path}`
  }
}

/** The path of a picture that a service holds for its sites. Services give each a name of its own. */
function heldPath(address: string): string | null {
  // Substack sends pictures by the address of their file, which is the last part of another.
  const [last = ''] = address
    .replace(/[?#].*$/s, '')
    .split(/\/|%2f/i)
    .slice(-1)
  const name = last.replace(/[^\w.-]+/g, '-')
  return /^[\w-]/.test(name) && isPicture(name) ? `images/${name}` : null
}
