import type { Artifact } from '../../domain/artifact.ts'
import { prefixed } from '../../domain/ids.ts'
import type { PlacedPage, SiteIdentity } from '../../domain/live-page.ts'
import { urlPath } from '../../domain/route.ts'
import { translatedOf } from '../../domain/version.ts'
import { joinBytes } from './join-bytes.ts'

/** Facts in `_index.json` about the site. */
export interface ManifestHeader {
  readonly site: Pick<SiteIdentity, 'projectId' | 'hostingMode' | 'keyId' | 'manifest'>
  /** Number of changes to the live site. */
  readonly revision: number
  readonly theme: string
}

/** Publish data of a page. */
export interface PublishFacts {
  /** ISO 8601 UTC. */
  readonly publishedAt: string
  /** Changes whenever the published content does. Reveals nothing about sealed content. */
  readonly etag: string
}

/** A page's line of `_index.json`. It is computed when the page is published. */
export function manifestLine(
  { page, path, file, site, fields, settings }: PlacedPage,
  { publishedAt, etag }: PublishFacts,
): string {
  const translated = translatedOf({ path, fields, settings })
  return JSON.stringify({
    id: prefixed('page', page.id),
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    ...(translated !== null && { locale: translated.locale, translation_key: translated.key }),
    url: urlPath(path),
    file,
    key_id: site.keyId,
    description: page.description,
    og_image_url: page.ogImageUrl,
    published_at: publishedAt,
    updated_at: page.updatedAt,
    etag,
  })
}

/** Updates the line of a page that was re-encrypted. */
export function withKeyId(line: string, keyId: string): string {
  return JSON.stringify({ ...JSON.parse(line), key_id: keyId })
}

/** Key of the page's own file. */
export function lineFile(line: string): string {
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
  const body = joinBytes({
    start: `${fields.slice(0, -1)},"pages":[${around}`,
    lines: shown,
    separator: ',\n',
    end: `${around}]}\n`,
  })
  return { key: '_index.json', stage: 'manifest', body, owner: { kind: 'site', id: '' } }
}

/** Omits everything that the page says about itself. */
function minimalLine(line: string): string {
  const { title: _, description: __, og_image_url: ___, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}
