import { createHash } from 'node:crypto'
import type { Artifact } from '../domain/artifact.ts'
import { type ProjectId, prefixed } from '../domain/ids.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { HostingMode } from '../domain/project.ts'

/** What `_index.json` says of the site as a whole. */
export interface ManifestHeader {
  readonly projectId: ProjectId
  /** Counts the changes to what is live. */
  readonly revision: number
  readonly hostingMode: HostingMode
  readonly theme: string
}

/**
 * What `_index.json` says of a page: one line of JSON, prepared when the page is published.
 *
 * @param file the page's own file.
 * @param publishedAt ISO 8601 UTC.
 */
export function manifestLine({ page, path }: LivePage, file: Artifact, publishedAt: string): string {
  return JSON.stringify({
    id: prefixed('page', page.id),
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    url: path,
    file: file.key,
    description: page.description,
    og_image_url: page.ogImageUrl,
    published_at: publishedAt,
    updated_at: page.updatedAt,
    etag: createHash('sha256').update(file.body).digest('hex').slice(0, 32),
  })
}

/** @param lines sorted by subroute, then slug, by code unit. */
export function manifest(header: ManifestHeader, lines: readonly string[]): Artifact {
  const fields = JSON.stringify({
    project_id: prefixed('proj', header.projectId),
    revision: header.revision,
    data_mode: { enabled: false, cipher: null, key_id: null },
    hosting_mode: header.hostingMode,
    theme: header.theme,
  })
  const pages = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`
  const body = Buffer.from(`${fields.slice(0, -1)},"pages":${pages}}\n`)
  return { key: '_index.json', stage: 'manifest', body, owner: { kind: 'site', id: '' } }
}
