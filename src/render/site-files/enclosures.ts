import { objectHeaders } from '../../domain/artifact.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import { urlPath } from '../../domain/route.ts'
import type { Enclosure } from '../../domain/site-lines.ts'

/**
 * The sound and videos of an article among the files of its site, in the order of first use. Feeds offer them as
 * downloads with their sizes, as podcast apps expect. Undefined for none.
 */
export function enclosuresOf({
  page,
  media,
}: Pick<Snapshot, 'page' | 'media'>): readonly Enclosure[] | undefined {
  if (page.type !== 'article' || media === undefined) return undefined
  let text: string | null = null
  const found = Object.entries(media).flatMap(([path, file]) => {
    const type = objectHeaders(file.key).contentType
    const bytes = file.bytes ?? file.size
    if (bytes === undefined || !/^(?:audio|video)\//.test(type)) return []
    text ??= page.markdown + JSON.stringify(page.config)
    const at = placeIn(text, path.slice(path.lastIndexOf('/') + 1))
    // The settings of the site may name others.
    return at === Number.POSITIVE_INFINITY ? [] : [{ at, enclosure: { key: file.key, type, bytes } }]
  })
  if (found.length === 0) return undefined
  return found.toSorted((a, b) => a.at - b.at).map(({ enclosure }) => enclosure)
}

/** Index of the first occurrence of a name in a text, plain or escaped; infinite for none. */
function placeIn(text: string, name: string): number {
  const places = [name, urlPath(name), encodeURI(name)].map((form) => text.indexOf(form))
  return Math.min(...places.filter((place) => place !== -1))
}
