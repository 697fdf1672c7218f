import { join } from 'node:path'
import type { SiteAsset } from '../../content-folder/site.ts'
import type { MediaFile, MediaFilm, MediaSource } from '../../domain/media.ts'
import { readFilmSize } from '../../media/film-size.ts'
import type { FileBody } from '../../platform/file-body.ts'

/** Endings of videos whose header is read. */
const FILM_NAME = /\.(mp4|m4v|mov|webm)$/i
/** Endings of sound, which has no size on a page. */
const SOUND_NAME = /\.(mp3|m4a|aac|oga|ogg|opus|flac|wav|weba)$/i

export function isFilmName(path: string): boolean {
  return FILM_NAME.test(path)
}

/**
 * The videos and the sound of a site, with the sizes of videos if their header can be read. Reading one takes some
 * hundred bytes, so none is cached.
 *
 * @param bodies the files of the assets, by path on the site.
 */
export async function siteFilms(
  assets: readonly SiteAsset[],
  bodies: ReadonlyMap<string, FileBody>,
  folder: string,
): Promise<MediaSource> {
  const films: [string, MediaFile | MediaFilm][] = []
  for (const { path, source } of assets) {
    const body = bodies.get(path)
    if (body === undefined || !(isFilmName(path) || SOUND_NAME.test(path))) continue
    const pixels = isFilmName(path) ? await readFilmSize(join(folder, source)) : null
    films.push([path, { digest: body.digest, key: path, size: body.size, ...pixels }])
  }
  return Object.fromEntries(films)
}
