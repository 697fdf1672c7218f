import { objectHeaders } from './artifact.ts'

/**
 * `_media/{stem}.{hash}.{ext}`, with or without the project's prefix. Variants of images have a width after the hash.
 */
const ORIGINAL = /(?:^|\/)_media\/(?:([^/]+)\.[\da-f]{16}\.([a-z\d]+)|[^/]+)$/

/** Types that browsers show or play. All others are saved. */
const SHOWN = /^(?:image|video|audio|font|text)\/|^application\/(?:pdf|json)\b/

/**
 * Returns the `Content-Disposition` of an object: it decides between showing and saving, and names the uploaded file
 * instead of the key. Null for pages and files of themes.
 *
 * @param key with or without the project's prefix.
 */
export function contentDisposition(key: string): string | null {
  const [match, stem, extension] = ORIGINAL.exec(key) ?? []
  if (match === undefined) return null
  const use = SHOWN.test(objectHeaders(key).contentType) ? 'inline' : 'attachment'
  if (stem !== undefined) return `${use}; ${fileName(`${stem}.${extension}`)}`
  return use === 'inline' ? null : use
}

/** In two forms where it has other letters than ASCII: old programs know the first one only (RFC 6266, RFC 8187). */
function fileName(name: string): string {
  const plain = name.replace(/[^\w.-]/gu, '_')
  const extended = encodeURIComponent(name).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === name ? `filename="${name}"` : `filename="${plain}"; filename*=UTF-8''${extended}`
}
