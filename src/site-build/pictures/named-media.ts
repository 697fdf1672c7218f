import type { SitePage } from '../../content-folder/site.ts'
import { decoded } from '../../domain/author-url.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { MediaSource } from '../../domain/media.ts'

/** A path with the ending of a picture, as links in content write it. */
const PICTURE = /[^\s"'()<>[\]|?#]{1,500}\.(?:jpe?g|png|gif|webp|avif)\b/gi

/**
 * The pictures that a page names, sorted by path; null for none. Looks for their paths anywhere in its text and fields: one
 * that is named in code, say, does no harm.
 */
export function namedMedia(
  {
    markdown,
    config,
    ogImageUrl,
    ownFields,
  }: Pick<SitePage, 'markdown' | 'config' | 'ogImageUrl' | 'ownFields'>,
  media: MediaSource,
): MediaSource | null {
  if (Object.keys(media).length === 0) return null
  const found = new Set<string>()
  for (const text of textsIn([markdown, config, ogImageUrl, ownFields.author?.avatar ?? null]))
    for (const [path] of text.matchAll(PICTURE)) {
      const key = decoded(path.replace(/^(?:\.{0,2}\/)+/, '')).normalize('NFC')
      if (Object.hasOwn(media, key)) found.add(key)
    }
  if (found.size === 0) return null
  return Object.fromEntries(
    [...found].sort().flatMap((key) => (media[key] === undefined ? [] : [[key, media[key]]])),
  )
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
