import { constants } from 'node:fs'
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAssetFile } from '../content-folder/asset-file.ts'
import { listFiles } from '../content-folder/list-files.ts'
import { ServiceError } from '../domain/errors.ts'
import { makeFolder } from '../platform/mkdirp.ts'
import type { Export } from './export-files.ts'
import { digestOf, MANIFEST_FILE, readManifest, unfinishedText } from './manifest.ts'

export interface WrittenExport {
  readonly written: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: number
}

/** The files an export may have written here, with every digest each may have. */
type Owned = ReadonlyMap<string, readonly string[]>

const UNKNOWN_MANIFEST = `No export of this version wrote ${MANIFEST_FILE}.`

/**
 * Write an export into a folder that is new, empty, or holds a former one, which it brings up to date.
 *
 * Nothing is replaced or removed that no export wrote, or that somebody has edited since: then nothing is
 * written at all. The manifest goes first, as unfinished, and comes back last, so that a folder whose
 * export was killed never looks complete; the next one ends it. Each file is wholly old or wholly new.
 *
 * @throws {ServiceError} `conflict` naming what is in the way.
 */
export async function writeExport(folder: string, { texts, manifest }: Export): Promise<WrittenExport> {
  await makeFolder(folder)
  const owned = await ownedFiles(folder)
  const there = await existingFiles(folder)
  assertNoConflict(folder, there, owned, texts)

  const written = [...texts].filter(([path, text]) => there.get(path) !== digestOf(text))
  const removed = [...there.keys()].filter((path) => !texts.has(path) && !isAssetFile(path))
  await writeAtomically(folder, MANIFEST_FILE, unfinishedText(allowedDigests(there, texts)))
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

/** The digest of each file, by its path. What a content folder passes over is not among them. */
async function existingFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const { files, errors } = listFiles(folder, null)
  const [fault] = errors
  if (fault !== undefined) throw conflict(folder, `${fault.file}: ${fault.message}`)
  const own = await lstat(join(folder, dirname(MANIFEST_FILE))).catch(() => null)
  if (own !== null && !own.isDirectory()) throw conflict(folder, `${dirname(MANIFEST_FILE)} is no folder.`)
  const digests = new Map<string, string>()
  for (const path of files) digests.set(path, digestOf((await readOrNull(join(folder, path))) ?? ''))
  return digests
}

function assertNoConflict(
  folder: string,
  there: ReadonlyMap<string, string>,
  owned: Owned,
  texts: Export['texts'],
): void {
  for (const [path, digest] of there) {
    const text = texts.get(path)
    const isAsIs = isAssetFile(path) || owned.get(path)?.includes(digest)
    if (isAsIs || (text !== undefined && digestOf(text) === digest)) continue
    const what = owned.has(path) ? 'was edited since it was exported' : 'was written by no export'
    throw conflict(folder, `${path} ${what}.`)
  }
}

function conflict(folder: string, what: string): ServiceError {
  return new ServiceError(
    'conflict',
    `${folder} is neither empty nor a former export: ${what} Nothing is replaced; name a new folder with --out.`,
  )
}

/** What each file has until the export has ended: what it has now, or what it is to have. */
function allowedDigests(
  there: ReadonlyMap<string, string>,
  texts: Export['texts'],
): Record<string, string[]> {
  const paths = [...new Set([...there.keys(), ...texts.keys()])].filter((path) => !isAssetFile(path))
  return Object.fromEntries(
    paths.map((path) => {
      const text = texts.get(path)
      const [now, then] = [there.get(path), text === undefined ? undefined : digestOf(text)]
      return [path, [...new Set([now, then])].filter((digest) => digest !== undefined)]
    }),
  )
}

/** Readers see the old or the new file, never a part of one. */
async function writeAtomically(folder: string, path: string, text: string): Promise<void> {
  const temporary = join(folder, dirname(MANIFEST_FILE), 'new')
  await makeFolder(dirname(temporary))
  await makeFolder(dirname(join(folder, path)))
  await writeFile(temporary, text)
  await rename(temporary, join(folder, path))
}

/** A symbolic link is refused. */
async function readOrNull(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file, { flag: constants.O_RDONLY | constants.O_NOFOLLOW })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
