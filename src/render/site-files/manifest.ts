import type { Artifact } from '../../domain/artifact.ts'
import { prefixed } from '../../domain/ids.ts'
import type { PlacedPage, SiteIdentity } from '../../domain/live-page.ts'
import { joinedBytes } from './joined-bytes.ts'

/** What `_index.json` says of the site as a whole. */
export interface ManifestHeader {
  readonly site: Pick<SiteIdentity, 'projectId' | 'hostingMode' | 'keyId' | 'manifest'>
  /** Counts the changes to what is live. */
  readonly revision: number
  readonly theme: string
}

/** How a page was published. */
export interface PublishedAs {
  /** ISO 8601 UTC. */
  readonly publishedAt: string
  /** Changes whenever what visitors get does; tells nothing of what is sealed. */
  readonly etag: string
}

/** What `_index.json` says of a page: one line of JSON, prepared when the page is published. */
export function manifestLine(
  { page, path, file, site }: PlacedPage,
  { publishedAt, etag }: PublishedAs,
): string {
  return JSON.stringify({
    id: prefixed('page', page.id),
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    url: path,
    file,
    key_id: site.keyId,
    description: page.description,
    og_image_url: page.ogImageUrl,
    published_at: publishedAt,
    updated_at: page.updatedAt,
    etag,
  })
}

/** The line of a page that was sealed anew. */
export function lineUnderKey(line: string, keyId: string): string {
  return JSON.stringify({ ...JSON.parse(line), key_id: keyId })
}

/** The key of the page's own file. */
export function fileOf(line: string): string {
  return JSON.parse(line).file
}

/** @param lines sorted by subroute, then slug, by code unit. */
export function manifest({ site, revision, theme }: ManifestHeader, lines: readonly string[]): Artifact {
  const enabled = site.hostingMode === 'data_mode'
  const fields = JSON.stringify({
    project_id: prefixed('proj', site.projectId),
    revision,
    data_mode: { enabled, cipher: enabled ? 'AES-256-GCM' : null, key_id: site.keyId },
    hosting_mode: site.hostingMode,
    theme,
  })
  const shown = enabled && site.manifest === 'minimal' ? lines.map(minimalLine) : lines
  const around = shown.length === 0 ? '' : '\n'
  const body = joinedBytes({
    start: `${fields.slice(0, -1)},"pages":[${around}`,
    lines: shown,
    between: ',\n',
    end: `${around}]}\n`,
  })
  return { key: '_index.json', stage: 'manifest', body, owner: { kind: 'site', id: '' } }
}

/** Where the page is, and nothing of what it says. */
function minimalLine(line: string): string {
  const { title: _, description: __, og_image_url: ___, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}
