import { constants } from 'node:fs'
import { lstat, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAssetFile } from '../content-folder/asset-file.ts'
import { listFiles } from '../content-folder/list-files.ts'
import { REDIRECTS_FILE } from '../content-folder/redirects.ts'
import { ServiceError } from '../domain/errors.ts'
import { readFileBody } from '../platform/file-body.ts'
import { fallbackOn, hasCode, NOT_FOUND } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { assetFile } from './asset-places.ts'
import type { Export } from './export-files.ts'
import { type FetchedAsset, type FetchPorts, fetchAssets, INCOMING } from './fetch-assets.ts'
import { digestOf, MANIFEST_FILE, manifestText, readManifest, unfinishedText } from './manifest.ts'

export interface WrittenExport {
  readonly written: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: number
  /** The images and files of the export. */
  readonly assets: readonly FetchedAsset[]
}

/** The files that an export wrote to the folder, with all allowed digests of each. */
type Owned = ReadonlyMap<string, readonly string[]>

const UNKNOWN_MANIFEST = `${MANIFEST_FILE} is damaged or of another version.`

/**
 * Writes an export to a new or empty folder, or updates the earlier export in it. Only images and files that the folder
 * lacks are downloaded.
 *
 * A file that no export wrote, or that was edited since, stops the export before a file is changed. The manifest is
 * first written as unfinished and replaced at the end, so that an interrupted export never looks complete. The next
 * export finishes it. Each file is written atomically.
 *
 * @throws {ServiceError} `conflict` naming the file that would be replaced or removed, and as `fetchAssets`.
 */
export async function writeExport(
  folder: string,
  { texts, manifest, assets: placed }: Export,
  ports: Omit<FetchPorts, 'assertReplaceable'>,
): Promise<WrittenExport> {
  await mkdirp(folder)
  const owned = await ownedFiles(folder)
  const existing = await existingFiles(folder)
  assertNoConflict(folder, existing, owned, texts)
  const assertOwned = (file: string) => assertUnchanged(folder, file, owned)
  const assets = await fetchAssets(folder, placed, { ...ports, assertReplaceable: assertOwned })

  const files = new Map(assets.map(({ file, digest }) => [file, digest]))
  const former = [...owned.keys()].filter((path) => isOfAsset(path) && !files.has(path))
  for (const path of former) await assertOwned(path)
  const moved = assets.filter(({ file, source }) => file !== source)
  const written = [...texts].filter(([path, text]) => existing.get(path) !== digestOf(text))
  const gone = await Promise.all(former.map(async (path) => ((await isThere(folder, path)) ? [path] : [])))
  const removed = [
    ...[...existing.keys()].filter((path) => !texts.has(path) && !isAssetFile(path)),
    ...gone.flat(),
  ]
  const allowed = { ...allowedDigests(existing, texts), ...allowedOfAssets(former, files, owned) }
  await writeAtomically(folder, MANIFEST_FILE, unfinishedText(allowed))
  // A file may be where a folder was, and the other way round.
  for (const path of removed) if (!moved.some(({ source }) => source === path)) await remove(folder, path)
  for (const { file, source } of moved) await move(folder, source, file)
  for (const [path, text] of written) await writeAtomically(folder, path, text)
  await writeAtomically(
    folder,
    MANIFEST_FILE,
    manifestText({
      ...manifest,
      assets: assets.map(({ name, digest, place, texts }) => ({ name, digest, place, ...texts })),
    }),
  )
  await rm(join(folder, INCOMING), { recursive: true, force: true })
  return {
    written: [...written.map(([path]) => path), ...moved.map(({ file }) => file)].sort(),
    removed,
    unchanged: texts.size - written.length + assets.length - moved.length,
    assets,
  }
}

async function ownedFiles(folder: string): Promise<Owned> {
  const text = await readOrNull(join(folder, MANIFEST_FILE))
  if (text === null) return new Map()
  const manifest = readManifest(text.toString())
  if (manifest === null)
    throw new ServiceError('conflict', `${UNKNOWN_MANIFEST} Name a new folder with --out.`)
  if ('unfinished' in manifest) return new Map(Object.entries(manifest.unfinished))
  const pages = Object.entries(manifest.pages).map(([path, { digest }]) => [path, [digest]] as const)
  const assets = manifest.assets.map(({ name, place, digest }) => [assetFile(name, place), [digest]] as const)
  const redirects =
    manifest.redirects === undefined ? [] : [[REDIRECTS_FILE, [manifest.redirects.digest]] as const]
  return new Map([['site.yaml', [manifest.site.digest]], ...redirects, ...pages, ...assets])
}

/** Reports whether a file of an export belongs to an asset. */
function isOfAsset(path: string): boolean {
  return isAssetFile(path) || path.startsWith(dirname(assetFile('', 'aside')))
}

/** The digest of each file of the content folder, by path. */
async function existingFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const { files, errors, warnings } = listFiles(folder, null)
  const [fault] = [...errors, ...warnings.filter(({ code }) => code === 'QN-NOT-A-FILE')]
  if (fault !== undefined) throw conflict(folder, `${fault.file}: ${fault.message}`)
  for (const own of [dirname(MANIFEST_FILE), dirname(assetFile('', 'aside')), INCOMING]) {
    const stats = await fallbackOn(NOT_FOUND, lstat(join(folder, own)), null)
    if (stats !== null && !stats.isDirectory()) throw conflict(folder, `${own} is not a folder.`)
  }
  const digests = new Map<string, string>()
  for (const path of files.filter((path) => !isAssetFile(path)))
    digests.set(path, digestOf((await readOrNull(join(folder, path))) ?? ''))
  return digests
}

/** @throws {ServiceError} `conflict` when the file of an asset exists, and is not as an export wrote it. */
async function assertUnchanged(folder: string, path: string, owned: Owned): Promise<void> {
  for (let above = dirname(path); above !== '.'; above = dirname(above))
    if (!owned.has(above) && (await isThere(folder, above)))
      throw conflict(folder, `${above} is not a folder.`)
  const stats = await fallbackOn(NOT_FOUND, lstat(join(folder, path)), null)
  // A folder with files of the former export alone disappears with them.
  if (stats === null || stats.isDirectory()) return
  if (!stats.isFile()) throw conflict(folder, `${path} is not a file.`)
  const { digest } = await readFileBody(join(folder, path))
  if (owned.get(path)?.includes(digest)) return
  throw conflict(folder, `${path} ${owned.has(path) ? EDITED : FOREIGN}.`)
}

const EDITED = 'was edited since the export'
const FOREIGN = 'was not written by an export'

async function isThere(folder: string, path: string): Promise<boolean> {
  return (await fallbackOn(NOT_FOUND, lstat(join(folder, path)), null))?.isFile() === true
}

function assertNoConflict(
  folder: string,
  existing: ReadonlyMap<string, string>,
  owned: Owned,
  texts: Export['texts'],
): void {
  for (const [path, digest] of existing) {
    const text = texts.get(path)
    const isUnchanged = isAssetFile(path) || owned.get(path)?.includes(digest)
    if (isUnchanged || (text !== undefined && digestOf(text) === digest)) continue
    throw conflict(folder, `${path} ${owned.has(path) ? EDITED : FOREIGN}.`)
  }
}

function conflict(folder: string, reason: string): ServiceError {
  return new ServiceError(
    'conflict',
    `${folder} is neither empty nor an unchanged export: ${reason} Nothing was written. Name a new folder with --out.`,
  )
}

/** The digests that each file may have until the export is finished: the current and the next one. */
function allowedDigests(
  existing: ReadonlyMap<string, string>,
  texts: Export['texts'],
): Record<string, string[]> {
  const paths = [...new Set([...existing.keys(), ...texts.keys()])].filter((path) => !isAssetFile(path))
  return Object.fromEntries(
    paths.map((path) => {
      const text = texts.get(path)
      const [current, next] = [existing.get(path), text === undefined ? undefined : digestOf(text)]
      return [path, [...new Set([current, next])].filter((digest) => digest !== undefined)]
    }),
  )
}

/** The same for files of assets, removed and written ones. */
function allowedOfAssets(
  former: readonly string[],
  files: ReadonlyMap<string, string>,
  owned: Owned,
): Record<string, string[]> {
  const removed = former.map((path): [string, string[]] => [path, [...(owned.get(path) ?? [])]])
  const written = [...files].map(([path, digest]): [string, string[]] => [
    path,
    [...new Set([...(owned.get(path) ?? []), digest])],
  ])
  return Object.fromEntries([...removed, ...written])
}

/** Removes a file, and the folders that it leaves empty. */
async function remove(folder: string, path: string): Promise<void> {
  await fallbackOn(NOT_FOUND, rm(join(folder, path), { force: true }), undefined)
  for (let above = dirname(path); above !== '.'; above = dirname(above))
    await fallbackOn(['ENOTEMPTY', 'EEXIST', ...NOT_FOUND], rmdir(join(folder, above)), undefined)
}

async function move(folder: string, from: string, to: string): Promise<void> {
  await mkdirp(dirname(join(folder, to)))
  await rename(join(folder, from), join(folder, to))
}

/** Replaces a file by renaming, so that readers see the previous or the next version as a whole. */
async function writeAtomically(folder: string, path: string, text: string): Promise<void> {
  const temporary = join(folder, dirname(MANIFEST_FILE), 'new')
  await mkdirp(dirname(temporary))
  await mkdirp(dirname(join(folder, path)))
  await writeFile(temporary, text)
  await rename(temporary, join(folder, path))
}

/** The bytes of a file, or null when it is missing. Refuses symbolic links. */
async function readOrNull(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file, { flag: constants.O_RDONLY | constants.O_NOFOLLOW })
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return null
    throw error
  }
}
