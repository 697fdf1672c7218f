import type { SitePage } from '../../content-folder/site.ts'
import { decoded } from '../../domain/author-url.ts'
import type { JsonValue } from '../../domain/json.ts'
import { literalPattern } from '../../domain/literal-pattern.ts'
import type { MediaSource } from '../../domain/media.ts'
import { normalForm } from '../../domain/normal-form.ts'

/** Patterns by media: many pages are compared with the same files. */
const patterns = new WeakMap<MediaSource, RegExp>()
/** Characters that are never part of a path, except escaped. */
const OUTSIDE = /[\n"<>[\]|?#]/
/** Characters that may precede a path or be part of it, as in `my photo (1).png`. */
const MARK = /[\s'(]/g
/** In characters, escapes included. */
const MAX_PATH = 500
/** Maximum number of marks checked before the end of a path. */
const MAX_MARKS = 8

/**
 * The files that a page names, sorted by path; null for none. Looks for their paths anywhere in its text and fields: a
 * path in code, for example, does no harm.
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
    for (const path of pathsIn(text, endingsOf(media))) {
      const key = normalForm(decoded(path.replace(/^(?:\.{0,2}\/)+/, '')))
      if (Object.hasOwn(media, key)) found.add(key)
    }
  if (found.size === 0) return null
  return Object.fromEntries(
    [...found].sort().flatMap((key) => (media[key] === undefined ? [] : [[key, media[key]]])),
  )
}

/** Yields candidates for paths of files, as links in content write them. @param endings of such paths. */
function* pathsIn(text: string, endings: RegExp): Generator<string> {
  for (const { index, 0: ending } of text.matchAll(endings)) {
    const end = index + ending.length
    const run =
      text
        .slice(Math.max(0, end - MAX_PATH), end)
        .split(OUTSIDE)
        .at(-1) ?? ''
    yield run
    for (const mark of [...run.matchAll(MARK)].slice(-MAX_MARKS)) yield run.slice(mark.index + 1)
  }
}

/** Matches the ends of paths: extensions, and whole names that have none. */
function endingsOf(media: MediaSource): RegExp {
  const known = patterns.get(media)
  if (known !== undefined) return known
  const found = new Set<string>()
  for (const path of Object.keys(media)) {
    // Only generated images have a colon, and content names none of them.
    if (path.includes(':')) continue
    const name = path.slice(path.lastIndexOf('/') + 1)
    found.add(name.includes('.') ? name.slice(name.lastIndexOf('.')) : name)
  }
  const alternatives = [...found].sort((a, b) => b.length - a.length).flatMap((end) => [end, encodeURI(end)])
  const pattern =
    found.size === 0
      ? /(?!)/g
      : new RegExp(`(?:${alternatives.map(literalPattern).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  patterns.set(media, pattern)
  return pattern
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
