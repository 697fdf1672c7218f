import type { Artifact } from '../../domain/artifact.ts'
import { prefixed } from '../../domain/ids.ts'
import type { LivePage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import type { Stamp } from '../../domain/release.ts'
import { urlPath } from '../../domain/route.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import type { Theme } from '../../theme/theme.ts'
import { prefixedLinks } from '../links/links.ts'
import type { MarkdownTools } from '../markdown/markdown-tools.ts'
import { contentView } from './content-view.ts'
import { pageLanguage } from './language.ts'
import type { RenderedPage } from './render-page.ts'
import { createRendering } from './rendering.ts'

/** Clients show pages at addresses of their own, so links use site paths, as `_index.json` does. */
const LINKS = prefixedLinks({ pages: '/', files: '/' })

/**
 * Renders the plaintext payload of a page in Data Mode: its fields and its content as HTML. `stamped` adds
 * the time and release, which change with every publish.
 *
 * @param tools as loaded by `pageTools`.
 * @throws {ServiceError} `validation_error` when the page is too complex to render.
 */
export function renderPayload(
  live: LivePage,
  theme: Pick<Theme, 'section' | 'ownSections' | 'types' | 'labels'>,
  tools: MarkdownTools,
): RenderedPage {
  const { page } = live
  const source = splitFrontMatter(page.markdown)
  const { lang } = pageLanguage(live, source)
  const rendering = createRendering(LINKS, {
    labels: theme.labels(lang),
    tools,
    data: live.settings.data,
  })
  const { html, sectionsHtml } = contentView(live, source, lang, theme, rendering)
  const payload = {
    project_id: prefixed('proj', page.projectId),
    id: prefixed('page', page.id),
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    url: urlPath(live.path),
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: {
      title: page.meta.title ?? null,
      description: page.meta.description ?? null,
      keywords: page.meta.keywords ?? null,
      robots: page.meta.robots ?? null,
    },
    config: page.config,
    markdown_content: markdownOf(page),
    html: page.type === 'page' ? [sectionsHtml, html].filter((part) => part !== '').join('\n') : html,
    ...typeFields(live),
  }
  const document: Artifact = {
    key: live.file,
    stage: 'page',
    body: Buffer.from(JSON.stringify(payload)),
    owner: { kind: 'page', id: page.id },
  }
  return {
    artifacts: [document],
    warnings: rendering.warnings,
    links: rendering.contentLinks,
    search: null,
    anchors: [],
  }
}

/** @param payload a JSON object with at least one field. */
export function stamped(payload: Uint8Array, stamp: Stamp): Uint8Array {
  return Buffer.concat([payload.subarray(0, -1), endOf(stamp)])
}

/**
 * Removes the stamp from a payload.
 *
 * @throws {RangeError} when the payload ends with a different stamp.
 */
export function unstamped(payload: Uint8Array, stamp: Stamp): Uint8Array {
  const end = endOf(stamp)
  if (!end.equals(payload.subarray(-end.length)))
    throw new RangeError('It does not say that it is of this publish.')
  return Buffer.concat([payload.subarray(0, -end.length), Buffer.from('}')])
}

function endOf({ publishedAt, releaseId }: Stamp): Buffer {
  const stamp = JSON.stringify({ published_at: publishedAt, release_id: prefixed('rel', releaseId) })
  return Buffer.from(`,${stamp.slice(1)}`)
}

function markdownOf({ type, markdown }: Page): string | null {
  const byConfig = type === 'page' || type === 'item'
  return byConfig && markdown === '' ? null : markdown
}

/** Fields that only pages of this type have. */
function typeFields({ page, fields }: LivePage): object {
  const { publishDate, author, navOrder, parentPage } = fields
  if (page.type === 'article') return { publish_date: publishDate, author: author && { ...author } }
  if (page.type !== 'docs') return {}
  return { nav_order: navOrder, parent_page: parentPage === null ? null : prefixed('page', parentPage) }
}
