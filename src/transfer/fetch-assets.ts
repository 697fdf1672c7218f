import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { AssetContent } from '../client/download.ts'
import { MAX_ASSET_BYTES } from '../content-folder/list-files.ts'
import { ServiceError } from '../domain/errors.ts'
import { mapConcurrently } from '../platform/concurrency.ts'
import { readFileBody } from '../platform/file-body.ts'
import { fallbackOn, NOT_FOUND } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import type { Progress } from '../push/publish-pages.ts'
import { type AssetPlace, assetFile } from './asset-places.ts'
import type { PlacedAsset } from './export-files.ts'

/** The bytes of an asset on disk. */
export interface FetchedAsset extends PlacedAsset {
  /** The path of the file in the export, relative to the folder. */
  readonly file: string
  /** The current path. */
  readonly source: string
  /** SHA-256, hex. */
  readonly digest: string
}

export interface FetchPorts {
  readonly content: Client['assets']['content']
  readonly onFile: Progress
  /** Called before the file is downloaded. @throws when the export may not replace it. */
  readonly assertReplaceable: (file: string) => Promise<void>
}

/** The folder for downloads, relative to that of the export. The next export uses the files of an interrupted one. */
export const INCOMING = '.quoin/incoming'
/** Leaves room for other requests of the account. */
const DOWNLOADS_AT_ONCE = 4
/** Attempts to download a file. */
const ATTEMPTS = 4

/**
 * Downloads the bytes of assets that are not on disk yet, a chunk at a time. Assets that are deleted meanwhile are left
 * out.
 *
 * @throws {TypeError} as `fetch` throws without an answer.
 * @throws {ServiceError} `internal_error` when the bytes differ from the announced digest, several times.
 */
export async function fetchAssets(
  folder: string,
  assets: readonly PlacedAsset[],
  ports: FetchPorts,
): Promise<readonly FetchedAsset[]> {
  if (assets.length === 0) return []
  await mkdirp(join(folder, INCOMING))
  let done = 0
  const fetched = await mapConcurrently(assets, DOWNLOADS_AT_ONCE, async (asset) => {
    const found = await fetchAsset(folder, asset, ports)
    ports.onFile(++done, assets.length)
    return found
  })
  return fetched.filter((asset) => asset !== null)
}

async function fetchAsset(
  folder: string,
  asset: PlacedAsset,
  ports: FetchPorts,
): Promise<FetchedAsset | null> {
  const known = await existing(folder, asset)
  const at = (place: AssetPlace) => ({ place, file: assetFile(asset.name, place) })
  const arriving = incomingFile(asset)
  for (let attempt = 1; ; attempt++) {
    const content = await contentUnless(asset.id, known?.digest ?? '', ports)
    if (content === 'deleted') return null
    if (content === null && known !== null) {
      const place = at(placeOf(asset, known.size))
      if (known.path !== place.file) await ports.assertReplaceable(place.file)
      return { ...asset, ...place, source: known.path, digest: known.digest }
    }
    if (content === null) throw new Error('An answer of 304 to a request for any bytes.')
    const place = at(placeOf(asset, content.bytes ?? 0))
    try {
      await ports.assertReplaceable(place.file)
    } catch (error) {
      await content.body.cancel()
      throw error
    }
    const { digest } = content
    if ((await received(content, join(folder, arriving))) === digest)
      return { ...asset, ...place, source: arriving, digest }
    if (attempt === ATTEMPTS)
      throw new ServiceError(
        'internal_error',
        `The bytes of ${asset.name} did not arrive as the server announced them. Run the command again; it continues.`,
      )
  }
}

/** A content folder refuses larger files. */
function placeOf({ place }: PlacedAsset, size: number): AssetPlace {
  return size > MAX_ASSET_BYTES ? 'aside' : place
}

function incomingFile({ name }: PlacedAsset): string {
  return `${INCOMING}/${createHash('sha256').update(name).digest('hex')}`
}

/** The file of an earlier export, whole or not. */
async function existing(folder: string, asset: PlacedAsset) {
  const places = [asset.place, 'aside'] as const
  for (const path of [incomingFile(asset), ...places.map((place) => assetFile(asset.name, place))]) {
    const stats = await fallbackOn(NOT_FOUND, lstat(join(folder, path)), null)
    if (stats?.isFile()) return { path, ...(await readFileBody(join(folder, path))) }
  }
  return null
}

async function contentUnless(
  id: string,
  digest: string,
  { content }: FetchPorts,
): Promise<AssetContent | null | 'deleted'> {
  try {
    return await content(id, { unless: digest })
  } catch (error) {
    if (error instanceof ApiError && error.name === 'not_found') return 'deleted'
    throw error
  }
}

/** @returns the digest of what arrived; null when the connection broke. */
async function received({ body }: AssetContent, file: string): Promise<string | null> {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await mkdirp(dirname(file))
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  let broken = false
  source.once('error', () => (broken = true))
  try {
    await pipeline(source, hashed, createWriteStream(file))
  } catch (error) {
    if (!broken) throw error
    return null
  }
  return hash.digest('hex')
}
