import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { SiteAsset } from '../../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { MediaImage, MediaSource } from '../../domain/media.ts'
import { knownFormatOf, readerOf } from '../../images/formats/formats.ts'
import { shownSize } from '../../images/formats/image-header.ts'
import { isDarkDrawing } from '../../images/svg/dark-drawing.ts'
import { svgDocumentSize } from '../../images/svg/svg-size.ts'
import type { FileBody } from '../../platform/file-body.ts'
import type { StaticFile } from '../static-files.ts'
import { isDrawing, isSmallPicture } from './picture-name.ts'

/** In bytes. Drawing programs write some hundred before the first element. */
const SVG_HEAD = 65_536

/** Images of a site that get no variants. */
export interface SmallPictures {
  readonly media: MediaSource
  /** Images without metadata, in place of the folder's files. */
  readonly files: readonly StaticFile[]
  /** Warnings about images that cannot be read. They are served unchanged. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * The sizes of drawings, and of images too small to gain from variants, so that nothing moves when they load. Reads
 * their first bytes in each build that does not know them, and caches nothing.
 *
 * @param bodies the files of the assets, by path on the site.
 */
export async function smallPictures(
  assets: readonly SiteAsset[],
  bodies: ReadonlyMap<string, FileBody>,
  folder: string,
): Promise<SmallPictures> {
  const found: [string, MediaImage][] = []
  const files: StaticFile[] = []
  const warnings: Diagnostic[] = []
  for (const { path, source } of assets) {
    const body = bodies.get(path)
    if (body === undefined || !isSmallPicture(path, body.size)) continue
    try {
      const { cleaned, ...shown } = await smallPicture(join(folder, source))
      found.push([path, { digest: body.digest, key: path, ...shown, colour: null, variants: [] }])
      if (cleaned !== null) files.push({ key: path, ...cleaned })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (!isDrawing(source)) warnings.push(diagnostic('QN-BAD-PICTURE', source, error.message))
    }
  }
  return { media: Object.fromEntries(found), files, warnings }
}

/** Returns null for a damaged image. Browsers show as much of it as they can. */
export async function smallPictureFacts(
  file: string,
): Promise<Pick<MediaImage, 'width' | 'height' | 'isDark'> | null> {
  try {
    const { cleaned: _, ...facts } = await smallPicture(file)
    return facts
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

interface SmallPicture extends Pick<MediaImage, 'width' | 'height' | 'isDark'> {
  /** Without metadata; null for a file that has none. */
  readonly cleaned: FileBody | null
}

/** @throws {ServiceError} for a damaged image. */
async function smallPicture(file: string): Promise<SmallPicture> {
  return isDrawing(file)
    ? { ...drawingFacts(await headOf(file)), cleaned: null }
    : pixelPicture(await readFile(file))
}

function drawingFacts(source: string): Pick<MediaImage, 'width' | 'height' | 'isDark'> {
  return { ...svgDocumentSize(source), ...(isDarkDrawing(source) && { isDark: true }) }
}

function pixelPicture(bytes: Uint8Array): SmallPicture {
  const format = knownFormatOf(bytes)
  if (format === 'svg') return { ...drawingFacts(Buffer.from(bytes).toString('utf8')), cleaned: null }
  const reader = readerOf(format)
  const header = reader.header(bytes)
  const stripped = reader.stripped(bytes, header.orientation)
  const cleaned = Buffer.compare(stripped, bytes) === 0 ? null : bodyOf(stripped)
  return { ...shownSize(header), cleaned }
}

function bodyOf(bytes: Uint8Array): FileBody {
  return {
    digest: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.byteLength,
    open: () => Readable.from([bytes]),
  }
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
