import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteAsset } from '../../content-folder/site.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { MediaImage, MediaSource } from '../../domain/media.ts'
import { formatOf, readerOf } from '../../images/formats/formats.ts'
import { shownSize } from '../../images/formats/image-header.ts'
import type { FileBody } from '../../platform/file-body.ts'
import { isSmallPicture } from './picture-name.ts'

/**
 * The sizes of pictures that are too small to gain from other files, so that nothing moves when they load. Reads their
 * few bytes in each build that does not know them, and caches nothing.
 *
 * @param bodies the files of the assets, by path on the site.
 */
export async function smallPictures(
  assets: readonly SiteAsset[],
  bodies: ReadonlyMap<string, FileBody>,
  folder: string,
): Promise<MediaSource> {
  const found: [string, MediaImage][] = []
  for (const { path, source } of assets) {
    const body = bodies.get(path)
    const size =
      body !== undefined && isSmallPicture(path, body.size) ? await sizeOf(join(folder, source)) : null
    if (body !== undefined && size !== null)
      found.push([path, { digest: body.digest, key: path, ...size, colour: null, variants: [] }])
  }
  return Object.fromEntries(found)
}

/** Null for a picture that is damaged, which browsers show as they can. */
async function sizeOf(file: string): Promise<Pick<MediaImage, 'width' | 'height'> | null> {
  const bytes = await readFile(file)
  const format = formatOf(bytes)
  if (format === null || format === 'svg') return null
  try {
    return shownSize(readerOf(format).header(bytes))
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
