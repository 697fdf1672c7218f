import { join } from 'node:path'
import type { SiteAsset } from '../../content-folder/site.ts'
import type { MediaFilm, MediaSource } from '../../domain/media.ts'
import { readFilmSize } from '../../media/film-size.ts'
import type { FileBody } from '../../platform/file-body.ts'

/** Endings of films whose header is read. */
const FILM_NAME = /\.(mp4|m4v|mov|webm)$/i

export function isFilmName(path: string): boolean {
  return FILM_NAME.test(path)
}

/**
 * The films of a site whose size can be read. Reading one takes some hundred bytes, so none is cached.
 *
 * @param bodies the files of the assets, by path on the site.
 */
export async function siteFilms(
  assets: readonly SiteAsset[],
  bodies: ReadonlyMap<string, FileBody>,
  folder: string,
): Promise<MediaSource> {
  const films: [string, MediaFilm][] = []
  for (const { path, source } of assets) {
    const body = bodies.get(path)
    const size = body !== undefined && isFilmName(path) ? await readFilmSize(join(folder, source)) : null
    if (body !== undefined && size !== null) films.push([path, { digest: body.digest, key: path, ...size }])
  }
  return Object.fromEntries(films)
}
