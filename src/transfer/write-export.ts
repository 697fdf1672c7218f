import { constants } from 'node:fs'
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAssetFile } from '../content-folder/asset-file.ts'
import { listFiles } from '../content-folder/list-files.ts'
import { ServiceError } from '../domain/errors.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import type { Export } from './export-files.ts'
import { digestOf, MANIFEST_FILE, readManifest, unfinishedText } from './manifest.ts'

export interface WrittenExport {
  readonly written: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: number
}

/** The files that an export wrote to the folder, with every digest that each may have. */
type Owned = ReadonlyMap<string, readonly string[]>

const UNKNOWN_MANIFEST = `${MANIFEST_FILE} is damaged or of another version.`

/**
 * Writes an export to a folder that is new, empty, or holds an earlier export, which is updated.
 *
 * A file that no export wrote, or that was edited since, stops the export before anything is written. The manifest
 * is first written as unfinished and replaced at the end, so that an interrupted export never looks complete. The
 * next export finishes it. Each file is written atomically.
 *
 * @throws {ServiceError} `conflict` naming the file that would be replaced or removed.
 */
export async function writeExport(folder: string, { texts, manifest }: Export): Promise<WrittenExport> {
  await mkdirp(folder)
  const owned = await ownedFiles(folder)
  const existing = await existingFiles(folder)
  assertNoConflict(folder, existing, owned, texts)

  const written = [...texts].filter(([path, text]) => existing.get(path) !== digestOf(text))
  const removed = [...existing.keys()].filter((path) => !texts.has(path) && !isAssetFile(path))
  await writeAtomically(folder, MANIFEST_FILE, unfinishedText(allowedDigests(existing, texts)))
  for (const [path, text] of written) await writeAtomically(folder, path, text)
  for (const path of removed) await rm(join(folder, path), { force: true })
  await writeAtomically(folder, MANIFEST_FILE, manifest)
  return { written: written.map(([path]) => path), removed, unchanged: texts.size - written.length }
}

async function ownedFiles(folder: string): Promise<Owned> {
  const text = await readOrNull(join(folder, MANIFEST_FILE))
  if (text === null) return new Map()
  const manifest = readManifest(text.toString())
  if (manifest === null)
    throw new ServiceError('conflict', `${UNKNOWN_MANIFEST} Name a new folder with --out.`)
  if ('unfinished' in manifest) return new Map(Object.entries(manifest.unfinished))
  const pages = Object.entries(manifest.pages).map(([path, { digest }]) => [path, [digest]] as const)
  return new Map([['site.yaml', [manifest.site.digest]], ...pages])
}

/** The digest of each file of the content folder, by path. */
async function existingFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const { files, errors, warnings } = listFiles(folder, null)
  const [fault] = [...errors, ...warnings.filter(({ code }) => code === 'QN-NOT-A-FILE')]
  if (fault !== undefined) throw conflict(folder, `${fault.file}: ${fault.message}`)
  const own = await lstat(join(folder, dirname(MANIFEST_FILE))).catch(() => null)
  if (own !== null && !own.isDirectory()) throw conflict(folder, `${dirname(MANIFEST_FILE)} is not a folder.`)
  const digests = new Map<string, string>()
  for (const path of files.filter((path) => !isAssetFile(path)))
    digests.set(path, digestOf((await readOrNull(join(folder, path))) ?? ''))
  return digests
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
    const reason = owned.has(path) ? 'was edited since the export' : 'was not written by an export'
    throw conflict(folder, `${path} ${reason}.`)
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
