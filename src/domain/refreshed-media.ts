import { isPicture, type MediaSource } from './media.ts'

/**
 * Returns the files of a live page, each image with the variants that exist now. A name of another file by now, and
 * everything else under the control of users, stays as it was published.
 *
 * @param live files as published.
 * @param now files of the same names now.
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
