import { prefixed } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import type { PayloadAsset, PayloadAssets, PayloadFile } from './payload-files.ts'

/**
 * The payload for publishing, in one JSON object.
 *
 * @param payload as rendered.
 * @param fileOf the key of the sealed file with these bytes.
 */
export function completed(payload: Uint8Array, stamp: Stamp, fileOf: (digest: string) => string): Uint8Array {
  // JSON has no line break of its own.
  const end = payload.indexOf(LINE_BREAK)
  const fields = payload.subarray(0, end === -1 ? undefined : end)
  const assets =
    end === -1 ? '' : ASSETS + JSON.stringify(withFiles(readAssets(payload.subarray(end)), fileOf))
  return Buffer.concat([fields.subarray(0, -1), Buffer.from(`${stampText(stamp)}${assets}}`)])
}

/**
 * The payload as it was rendered.
 *
 * @throws {RangeError} when it is of a different publish.
 * @throws {SyntaxError} when it is no payload.
 */
export function uncompleted(payload: Uint8Array, stamp: Stamp): Uint8Array {
  const bytes = Buffer.from(payload)
  const text = stampText(stamp)
  const at = bytes.lastIndexOf(text)
  if (at === -1) throw new RangeError('It does not say that it is of this publish.')
  const fields = `${bytes.toString('utf8', 0, at)}}`
  const rest = bytes.toString('utf8', at + text.length)
  if (rest === '}') return Buffer.from(fields)
  if (!rest.startsWith(ASSETS)) throw new RangeError('It goes on after the publish that it is of.')
  const assets = withoutFiles(readAssets(Buffer.from(rest.slice(ASSETS.length, -1))))
  return Buffer.from(`${fields}\n${JSON.stringify(assets)}`)
}

const LINE_BREAK = 0x0a
const ASSETS = ',"assets":'

function stampText({ publishedAt, releaseId }: Stamp): string {
  const stamp = JSON.stringify({ published_at: publishedAt, release_id: prefixed('rel', releaseId) })
  return `,${stamp.slice(1, -1)}`
}

function readAssets(json: Uint8Array): PayloadAssets {
  return JSON.parse(Buffer.from(json).toString())
}

function withFiles(assets: PayloadAssets, fileOf: (digest: string) => string): object {
  const named = <File extends PayloadFile>(file: File) => ({ file: fileOf(file.digest), ...file })
  return mapValues(assets, ({ variants, ...asset }) => ({ ...named(asset), variants: variants.map(named) }))
}

function withoutFiles(assets: PayloadAssets): object {
  const unnamed = ({ file: _, ...rest }: PayloadFile & { readonly file?: string }) => rest
  return mapValues(assets, ({ variants, ...asset }) => ({
    ...unnamed(asset),
    variants: variants.map(unnamed),
  }))
}

function mapValues(assets: PayloadAssets, change: (asset: PayloadAsset) => object): object {
  return Object.fromEntries(Object.entries(assets).map(([address, asset]) => [address, change(asset)]))
}
