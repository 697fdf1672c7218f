import type { PageWarning } from '../../domain/diagnostic.ts'
import { fileAt, type MediaSource, mediaPath } from '../../domain/media.ts'
import { mediaNames, nameIn } from '../../domain/media-names.ts'
import { isFilePath } from '../../domain/route.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../../fields/settings-fields.ts'
import type { ContentLink } from '../../render/page/rendering.ts'
import type { RenderedRelease } from './live-page-row.ts'

/** Adds a warning for each picture or file that a page or the settings name and no asset is. */
export function withMediaWarnings(pages: readonly RenderedRelease[]): readonly RenderedRelease[] {
  return pages.map((page) => {
    const added = warningsOf(page)
    if (added.length === 0) return page
    return { ...page, rendered: { ...page.rendered, warnings: [...page.rendered.warnings, ...added] } }
  })
}

function warningsOf({ placed, rendered }: RenderedRelease): readonly PageWarning[] {
  const { settings, media, site } = placed
  // Nothing of the settings is published in Data Mode.
  const fields = site.hostingMode === 'data_mode' ? [] : (Object.keys(SETTINGS_FIELDS) as SettingKey[])
  return [
    ...rendered.links.flatMap((link) => deadMedia(link, media)),
    ...fields.flatMap((key) =>
      mediaNames([settings[key]])
        .filter((name) => !isKnown(name, media))
        .map((name) => noAsset(`settings.${SETTINGS_FIELDS[key].name}`, name, null)),
    ),
  ]
}

function deadMedia({ at, href, kind }: ContentLink, media: MediaSource | undefined): readonly PageWarning[] {
  const [path = ''] = href.split(/[?#]/, 1)
  const name = nameIn(path)
  // Without an extension it may be a page.
  if (name === null || isKnown(name, media) || (kind === 'link' && !isFilePath(path))) return []
  return [noAsset(at, name, href)]
}

function isKnown(name: string, media: MediaSource | undefined): boolean {
  return fileAt(media, mediaPath(name)) !== null
}

function noAsset(at: string, name: string, written: string | null): PageWarning {
  const message = `The project has no asset named ${JSON.stringify(name)}.`
  return { code: 'QN-DEADLINK', at, message, ...(written !== null && { written }) }
}
