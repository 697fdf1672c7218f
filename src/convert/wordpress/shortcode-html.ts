import { escapeHtml } from '../html/escape-html.ts'
import type { Shortcode } from './shortcodes.ts'

/** A picture or file of the media library. */
export interface Attachment {
  readonly url: string
  readonly alt: string
  readonly caption: string
}

/** Finds the pictures of a gallery. Without ids it has the uploads of the post. */
export type GalleryPictures = (ids: readonly string[] | null) => readonly Attachment[]

const LANGUAGES = /^(?:php|html|css|js|javascript|python|bash|sql|xml|java|ruby)$/
const IMAGE = /^\s*((?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?)([\s\S]*)$/i

/** Shortcodes of WordPress and of Jetpack. Source: https://wordpress.com/support/wordpress-editor/blocks/shortcode-block/. */
export function shortcodeHtml(
  { name, attributes, inner }: Shortcode,
  picturesOf: GalleryPictures,
): string | null {
  const attribute = (key: string) => attributes.get(key) ?? ''
  switch (name) {
    case 'caption':
    case 'wp_caption':
      return captioned(inner ?? '', attribute('caption'))
    case 'gallery': {
      const ids = attribute('ids') || attribute('include')
      return gallery(picturesOf(ids === '' ? null : ids.split(',').map((id) => id.trim())))
    }
    case 'embed':
    case 'youtube':
    case 'vimeo':
      return embed(
        (inner ?? '').trim() || attribute('url') || attribute('src') || attribute('0').replace(/^=/, ''),
      )
    case 'audio':
    case 'video': {
      const source = ['src', 'mp4', 'm4v', 'webm', 'ogv', 'mp3', 'm4a', 'ogg', 'wav', '0']
        .map(attribute)
        .find((each) => each !== '')
      if (source === undefined) return ''
      return `<${name} src="${escapeHtml(source)}"${attribute('poster') === '' ? '' : ` poster="${escapeHtml(attribute('poster'))}"`}></${name}>`
    }
    case 'code':
    case 'sourcecode': {
      const lang = attribute('language') || attribute('lang') || attribute('0').replace(/^=/, '')
      return code(inner ?? '', lang)
    }
    default:
      return LANGUAGES.test(name) && inner !== null ? code(inner, name) : null
  }
}

function captioned(inner: string, stated: string): string {
  const [, picture = '', rest = ''] = IMAGE.exec(inner) ?? []
  if (picture === '') return inner
  const caption = rest.trim() || stated
  return `\n\n<figure>${picture}<figcaption>${caption}</figcaption></figure>\n\n`
}

function gallery(pictures: readonly Attachment[]): string {
  const figures = pictures.map(
    ({ url, alt, caption }) =>
      `<figure><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"><figcaption>${caption}</figcaption></figure>`,
  )
  return figures.length === 0 ? '' : `\n\n<figure class="wp-block-gallery">${figures.join('')}</figure>\n\n`
}

/** An address alone: WordPress shows the player or the card of the other site. */
export function embed(address: string): string | null {
  if (!/^https?:\/\/[^\s<>"]+$/.test(address)) return null
  return `\n\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">${address}</div></figure>\n\n`
}

function code(inner: string, lang: string): string {
  const decoded = inner
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  return `\n\n<pre><code class="language-${escapeHtml(lang)}">${escapeHtml(decoded.replace(/^\s*\n/, ''))}</code></pre>\n\n`
}
