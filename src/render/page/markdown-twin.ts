import type { Artifact, Owner } from '../../domain/artifact.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { LivePage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import { pathFolder, urlPath } from '../../domain/route.ts'
import { componentsAsProse } from '../../page-text/component-prose.ts'
import { pageDocument } from '../../page-text/page-document.ts'
import { canonicalUrl } from './head-view.ts'
import { withMediaFiles } from './media-files.ts'
import { textBytes } from './text-bytes.ts'

export function twinKey(path: string): string {
  return `${pathFolder(path)}index.md`
}

/**
 * The page as Markdown next to its HTML, for language models and for readers who copy it. Its sections are text alone:
 * their props would be the same text again, as YAML. Components are prose.
 */
export function markdownTwin({ page, fields, site, media, path, context }: LivePage, owner: Owner): Artifact {
  const stated = {
    title: page.title,
    description: page.description === '' ? null : page.description,
    url: canonicalUrl(site, path),
    date: page.type === 'article' ? fields.publishDate : null,
    author: page.type === 'article' ? (fields.author?.name ?? null) : null,
  }
  const document = withMediaFiles(
    pageDocument(
      { ...page, markdown: componentsAsProse(page.markdown) },
      stated,
      context.collections,
      configOf(page),
    ),
    media,
    (key) => `/${urlPath(key)}`,
  )
  return {
    key: twinKey(path),
    stage: 'page',
    body: textBytes(document),
    owner,
  }
}

function configOf({ type, config }: Page): JsonObject {
  const { sections: _, ...rest } = config
  return type === 'page' ? rest : config
}
