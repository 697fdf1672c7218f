import { isPicture, type MediaSource } from './media.ts'

/**
 * The files that a live page shows, each picture with the variants that are there now. A name that means another file
 * by now, and everything else that people can change, stays as it was published.
 *
 * @param live what the page was published with.
 * @param now what the same names mean now.
 * @returns `live` itself when nothing differs.
 */
export function refreshedMedia(live: MediaSource, now: MediaSource): MediaSource {
  const fresh = Object.entries(live).flatMap(([path, file]) => {
    const current = Object.hasOwn(now, path) ? now[path] : undefined
    if (current === undefined || !isPicture(file) || !isPicture(current)) return []
    if (current.digest !== file.digest || isSame(current.variants, file.variants)) return []
    return [[path, { ...file, variants: current.variants }] as const]
  })
  return fresh.length === 0 ? live : { ...live, ...Object.fromEntries(fresh) }
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
