import type { Artifact } from '../../domain/artifact.ts'
import { compactCss } from '../../theme/compact-css.ts'
import type { Theme } from '../../theme/theme.ts'
import { absoluteLinks, type Links } from '../links/links.ts'
import { searchAssets } from '../page/assets.ts'
import { brandStyle } from '../page/branding.ts'
import { contentPolicy } from '../page/content-policy.ts'
import type { Site } from '../page/head-view.ts'
import { languageOf } from '../page/language.ts'
import { createRendering } from '../page/rendering.ts'
import { siteView } from '../page/site-view.ts'

/**
 * `404.html`. It is served at any depth, so all its URLs are absolute, and its style and script are inline.
 */
export function renderNotFound({ site, settings }: Site, theme: Theme): Artifact {
  const rendering = createRendering(absoluteLinks(site.origin))
  const ownStyle = brandStyle(settings.branding)
  // `<!` and `</` occur only in strings and comments of the script. The escapes mean the same there and end
  // no element.
  const script = normaliseInline(`${Buffer.from(theme.assets.script.body)}${theme.notFoundScript}`).replace(
    /<(?=!--|\/?script)/gi,
    '\\x3c',
  )
  const css = normaliseInline(
    [withAbsoluteUrls(theme, rendering.links), compactCss(settings.customCss ?? '')].join('\n'),
  ).replace(/<(?=[/!])/g, '\\3c ')
  const language = languageOf([settings.branding['lang']])
  const html = theme.notFound({
    ...language,
    site: siteView({ site, settings }, null, searchAssets(theme, language.lang), rendering),
    favicon: settings.faviconUrl === null ? null : rendering.url(settings.faviconUrl, 'image', 'favicon_url'),
    script,
    css,
    brandStyle: ownStyle,
    policy: contentPolicy({ styles: [css, ownStyle], scripts: [script], hasAnalytics: false }),
  })
  return { key: '404.html', stage: 'index', body: Buffer.from(html), owner: { kind: 'site', id: '' } }
}

/** The theme's style with absolute URLs of the theme's files. */
function withAbsoluteUrls({ assets, files }: Theme, links: Links): string {
  const keys = new Set([...files.values()].map(({ key }) => key))
  return Buffer.from(assets.style.body)
    .toString()
    .replace(/url\(([\w.-]+)\)/g, (whole, name) =>
      keys.has(`_assets/${name}`) ? `url(${links.file(`_assets/${name}`)})` : whole,
    )
}

/** Normalises what an HTML parser would change, so that the hash in the policy matches. */
function normaliseInline(text: string): string {
  return text.trim().replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
}
