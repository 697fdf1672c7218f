import type { Artifact } from '../../domain/artifact.ts'
import { shownMedia } from '../../domain/collection.ts'
import { prefixed } from '../../domain/ids.ts'
import type { LivePage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import { urlPath } from '../../domain/route.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import type { Theme } from '../../theme/theme.ts'
import { prefixedLinks } from '../links/links.ts'
import type { MarkdownTools } from '../markdown/markdown-tools.ts'
import { contentView } from './content-view.ts'
import { pageLanguage } from './language.ts'
import { mediaByAddress, payloadAssets } from './payload-files.ts'
import { withPictures } from './pictures.ts'
import type { RenderedPage } from './render-page.ts'
import { createRendering } from './rendering.ts'

/** Clients show pages at addresses of their own, so links use site paths, as `_index.json` does. */
const PREFIXES = { pages: '/', files: '/' }

/**
 * Renders the plaintext payload of a page in Data Mode: its fields and its content as HTML. What changes with every
 * publish or key is not in it: `completed` adds the time, the release and the names of sealed files. The description of
 * the files that a page shows is a second line.
 *
 * @param tools as loaded by `pageTools`.
 * @throws {ServiceError} `validation_error` when the page is too complex to render.
 */
export function renderPayload(
  live: LivePage,
  theme: Pick<Theme, 'section' | 'ownSections' | 'types' | 'labels' | 'components' | 'component'>,
  tools: MarkdownTools,
): RenderedPage {
  const { page } = live
  const source = splitFrontMatter(page.markdown)
  const { lang } = pageLanguage(live, source)
  const shown = shownMedia(live)
  const media = mediaByAddress(shown)
  const links = prefixedLinks(PREFIXES, media)
  const rendering = createRendering(links, {
    labels: theme.labels(lang),
    tools,
    data: live.settings.data,
    components: { theme, lang },
  })
  const { html, sectionsHtml } = contentView(live, source, lang, theme, rendering)
  const isPage = page.type === 'page'
  const content = isPage ? [sectionsHtml, html].filter((part) => part !== '').join('\n') : html
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
    html: withPictures(content, media, links),
    ...typeFields(live),
  }
  const assets = payloadAssets(shown)
  const lines = assets === null ? [payload] : [payload, assets]
  const document: Artifact = {
    key: live.file,
    stage: 'page',
    body: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
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

function markdownOf({ type, markdown }: Page): string | null {
  const byConfig = type === 'page' || type === 'item'
  return byConfig && markdown === '' ? null : markdown
}

/** Fields that only pages of this type have. */
function typeFields({ page, fields }: LivePage): object {
  const { publishDate, navOrder, parentPage } = fields
  const { address: _, ...author } = fields.author ?? {}
  if (page.type === 'article') return { publish_date: publishDate, author: fields.author && author }
  if (page.type !== 'docs') return {}
  return { nav_order: navOrder, parent_page: parentPage === null ? null : prefixed('page', parentPage) }
}
