import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteAsset } from '../../content-folder/site.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { MediaImage, MediaSource } from '../../domain/media.ts'
import { formatOf, readerOf } from '../../images/formats/formats.ts'
import { shownSize } from '../../images/formats/image-header.ts'
import { isDarkDrawing } from '../../images/svg/dark-drawing.ts'
import { svgDocumentSize } from '../../images/svg/svg-size.ts'
import type { FileBody } from '../../platform/file-body.ts'
import { isDrawing, isSmallPicture } from './picture-name.ts'

/** In bytes. Drawing programs write some hundred before the first element. */
const SVG_HEAD = 65_536

/**
 * The sizes of pictures that are too small to gain from other files, and of drawings, so that nothing moves when they
 * load. Reads their first bytes in each build that does not know them, and caches nothing.
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
    const shown =
      body !== undefined && isSmallPicture(path, body.size)
        ? await smallPictureFacts(join(folder, source))
        : null
    if (body !== undefined && shown !== null)
      found.push([path, { digest: body.digest, key: path, ...shown, colour: null, variants: [] }])
  }
  return Object.fromEntries(found)
}

/** Null for a picture that is damaged, which browsers show as they can. */
export async function smallPictureFacts(
  file: string,
): Promise<Pick<MediaImage, 'width' | 'height' | 'isDark'> | null> {
  try {
    return isDrawing(file) ? drawingFacts(await headOf(file)) : pixelSize(await readFile(file))
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

function drawingFacts(source: string): Pick<MediaImage, 'width' | 'height' | 'isDark'> {
  return { ...svgDocumentSize(source), ...(isDarkDrawing(source) && { isDark: true }) }
}

function pixelSize(bytes: Uint8Array): Pick<MediaImage, 'width' | 'height'> | null {
  const format = formatOf(bytes)
  return format === null || format === 'svg' ? null : shownSize(readerOf(format).header(bytes))
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SVG_HEAD), 0, SVG_HEAD, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
