import { join } from 'node:path'
import type { SiteAsset } from '../../content-folder/site.ts'
import type { MediaFile, MediaSource, MediaVideo } from '../../domain/media.ts'
import { readVideoSize } from '../../media/video-size.ts'
import type { FileBody } from '../../platform/file-body.ts'

/** Endings of videos whose header is read. */
const VIDEO_NAME = /\.(mp4|m4v|mov|webm)$/i
/** Endings of sound, which has no size on a page. */
const SOUND_NAME = /\.(mp3|m4a|aac|oga|ogg|opus|flac|wav|weba)$/i

export function isVideoName(path: string): boolean {
  return VIDEO_NAME.test(path)
}

/**
 * The videos and the sound of a site, with the sizes of videos if their header can be read. Reading one takes some
 * hundred bytes, so none is cached.
 *
 * @param bodies the files of the assets, by path on the site.
 */
export async function siteVideos(
  assets: readonly SiteAsset[],
  bodies: ReadonlyMap<string, FileBody>,
  folder: string,
): Promise<MediaSource> {
  const videos: [string, MediaFile | MediaVideo][] = []
  for (const { path, source } of assets) {
    const body = bodies.get(path)
    if (body === undefined || !(isVideoName(path) || SOUND_NAME.test(path))) continue
    const pixels = isVideoName(path) ? await readVideoSize(join(folder, source)) : null
    videos.push([path, { digest: body.digest, key: path, size: body.size, ...pixels }])
  }
  return Object.fromEntries(videos)
}
