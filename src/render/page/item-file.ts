import type { Artifact, Owner } from '../../domain/artifact.ts'
import type { LivePage } from '../../domain/live-page.ts'
import { pathFolder, urlPath } from '../../domain/route.ts'
import { customFields } from '../../page-text/item-text.ts'
import { canonicalUrl, shareImage } from './head-view.ts'
import { withMediaFiles } from './media-files.ts'

export function itemFileKey(path: string): string {
  return `${pathFolder(path)}_item.json`
}

/** An item's fields as JSON next to its page, for scripts and other sites. */
export function itemFile(live: LivePage, owner: Owner): Artifact {
  const { page, site, path } = live
  const item = {
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    url: canonicalUrl(site, path),
    description: page.description,
    image: shareImage({ path, image: page.ogImageUrl }, live),
    fields: Object.fromEntries(customFields(page.config)),
    markdown_content: page.markdown,
  }
  return {
    key: itemFileKey(path),
    stage: 'page',
    body: Buffer.from(
      withMediaFiles(`${JSON.stringify(item, null, 2)}\n`, live.media, (key) => `/${urlPath(key)}`),
    ),
    owner,
  }
}
