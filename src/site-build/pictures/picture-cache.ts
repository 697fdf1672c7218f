import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  type ImageFacts,
  RECIPE_VERSION,
  type VariantFormat,
  type VariantRecipe,
} from '../../domain/image.ts'
import { recipeText } from '../../domain/media.ts'
import type { FileBody } from '../../platform/file-body.ts'
import { mkdirp } from '../../platform/mkdirp.ts'
import { STATE_FOLDER } from '../incremental/file-fingerprints.ts'
import { plainCacheFiles, sealedCacheFiles } from './cache-files.ts'

/** Counted up with every change of the format of records. */
const FORMAT = 2
const VERSION = `${RECIPE_VERSION}.${FORMAT}`

/** Facts and variants of an image, by the digest of its file. Plain JSON. */
export interface PictureRecord {
  /** False if the image could not be decoded, so that it has no variants yet. */
  readonly isDecoded: boolean
  readonly facts: ImageFacts
  /** The image without metadata; null if it has none. */
  readonly cleaned: Omit<FileBody, 'open'> | null
  /** Formats of which variants were derived, also where none was worth it. */
  readonly formats: readonly VariantFormat[]
  readonly variants: readonly RecordedVariant[]
}

export interface RecordedVariant extends Omit<VariantRecipe, 'focus' | 'height'> {
  readonly height: number
  /** The name of its file in the cache. */
  readonly file: string
  /** SHA-256 of the recipe and of the bytes, hex. */
  readonly recipe: string
  readonly digest: string
  /** In bytes. */
  readonly size: number
}

/** Reports whether an output folder has derived images of a build. */
export function hasPictureCache(out: string): boolean {
  return existsSync(folderOf(out))
}

/**
 * Opens the derived images of an output folder, by digest and recipe, so that no build derives one again. Callers hold
 * the lock of the output folder: another build would remove files not recorded yet. They close the cache at the end.
 *
 * @param contentKey of a build in Data Mode, whose cache is sealed; null for another.
 */
export async function openPictureCache(out: string, contentKey: Uint8Array | null) {
  const folder = folderOf(out)
  await mkdirp(folder)
  const left = new Set(await readdir(folder))
  const used = new Set<string>()
  const files = contentKey === null ? plainCacheFiles(folder) : await sealedCacheFiles(folder, contentKey)
  const isLeft = (name: string) => left.has(files.storedName(name))

  return {
    /** Returns null for an image that must be read: it is new, or one of its files is missing or truncated. */
    async record(digest: string): Promise<PictureRecord | null> {
      if (!isLeft(recordName(digest))) return null
      const record = parsed(await files.readText(recordName(digest)))
      if (record === null || !filesOf(digest, record).every(isLeft)) return null
      if (!derivedSizes(digest, record).every(([name, size]) => hasSize(name, size))) return null
      use(filesOf(digest, record))
      return record
    },
    /** Stores a record, and its files in `path` that the previous record does not have. */
    async store(digest: string, record: PictureRecord, previous: PictureRecord | null): Promise<void> {
      const known = new Set(previous === null ? [] : derivedFiles(digest, previous))
      for (const name of derivedFiles(digest, record)) if (!known.has(name)) await files.take(name)
      await files.writeText(recordName(digest), JSON.stringify({ ...record, version: VERSION }))
      use(filesOf(digest, record))
    },
    /** Marks a file as used, whether it is in the cache or about to be. Returns whether it is. */
    keep(name: string): boolean {
      use([name])
      return isLeft(name) && !isEmptied(name)
    },
    /** Returns the absolute path for writing a file before it is stored. */
    path: files.draft,
    /** Reads a stored file. */
    open: (name: string): Readable => files.open(name),
    recipeDigest: (digest: string, recipe: VariantRecipe) => sha256(recipeText(digest, recipe)),
    cleanedName,
    /** Removes files that no image of this build uses. */
    async prune(): Promise<void> {
      for (const name of await readdir(folder))
        if (!used.has(name)) await rm(join(folder, name), { force: true })
    },
    close: files.close,
  }

  /** A sealed file is longer than its contents. */
  function hasSize(name: string, size: number): boolean {
    const stored = storedSize(name)
    return contentKey === null ? stored === size : stored > size
  }

  function isEmptied(name: string): boolean {
    return storedSize(name) === 0
  }

  function storedSize(name: string): number {
    return statSync(join(folder, files.storedName(name)), { throwIfNoEntry: false })?.size ?? 0
  }

  function use(names: readonly string[]): void {
    for (const name of names) used.add(files.storedName(name))
  }
}

export type PictureCache = Awaited<ReturnType<typeof openPictureCache>>

function folderOf(out: string): string {
  return join(out, STATE_FOLDER, 'media')
}

/** The names of an image's files in the cache. */
function filesOf(digest: string, record: PictureRecord): readonly string[] {
  return [recordName(digest), ...derivedFiles(digest, record)]
}

function derivedFiles(digest: string, { variants, cleaned }: PictureRecord): readonly string[] {
  return [...(cleaned === null ? [] : [cleanedName(digest)]), ...variants.map(({ file }) => file)]
}

function derivedSizes(
  digest: string,
  { variants, cleaned }: PictureRecord,
): readonly (readonly [name: string, size: number])[] {
  const ofPicture = cleaned === null ? [] : [[cleanedName(digest), cleaned.size] as const]
  return [...ofPicture, ...variants.map(({ file, size }) => [file, size] as const)]
}

function recordName(digest: string): string {
  return `${digest}.json`
}

function cleanedName(digest: string): string {
  return `${digest}.clean`
}

/** Parses a record; null if it is truncated or of another version. */
function parsed(text: string | null): PictureRecord | null {
  try {
    const stored = JSON.parse(text ?? 'null') as (PictureRecord & { readonly version: unknown }) | null
    return stored?.version === VERSION && Array.isArray(stored.formats) ? stored : null
  } catch {
    return null
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
