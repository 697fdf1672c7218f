import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Settings } from '../domain/settings.ts'
import { settingFileName, settingsThatHold } from '../fields/settings-record.ts'
import type { ContentLink } from '../render/page/rendering.ts'

/** The links that `site.yaml` puts on every page: header, footer, and the images of the site. */
export function siteLinks(settings: Settings): readonly ContentLink[] {
  const pictures = settingsThatHold('file').flatMap((key): readonly ContentLink[] => {
    const href = settings[key]
    return typeof href === 'string' ? [{ at: settingFileName(key), href, kind: 'image' }] : []
  })
  const links = settingsThatHold('link').flatMap((key) =>
    linksIn(settings[key] as JsonValue, settingFileName(key)),
  )
  const homes = (settings.locales ?? []).flatMap(({ home }, index): readonly ContentLink[] =>
    home === undefined ? [] : [{ at: `locales[${index}].home`, href: home, kind: 'link' }],
  )
  return [...pictures, ...links, ...homes]
}

/** The links and icons in a value. A `#fragment` alone refers to the page that shows the link, so it is skipped. */
function linksIn(value: JsonValue, at: string): readonly ContentLink[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => linksIn(inner, `${at}[${index}]`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]): readonly ContentLink[] => {
    const field = `${at}.${name}`
    if (typeof inner !== 'string') return linksIn(inner, field)
    if (name === 'href' && !inner.startsWith('#')) return [{ at: field, href: inner, kind: 'link' }]
    // Other icons are names.
    if (name === 'icon' && inner.startsWith('/')) return [{ at: field, href: inner, kind: 'image' }]
    return []
  })
}
