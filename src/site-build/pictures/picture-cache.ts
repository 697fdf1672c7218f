import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ImageFacts,
  RECIPE_VERSION,
  type VariantFormat,
  type VariantRecipe,
} from '../../domain/image.ts'
import { recipeText } from '../../domain/media.ts'
import { mkdirp } from '../../platform/mkdirp.ts'
import { STATE_FOLDER } from '../incremental/file-fingerprints.ts'

/** What is known of a picture, by the digest of its file. Plain JSON. */
export interface PictureRecord {
  /** Records of other versions are read again. */
  readonly version: number
  /** False where the picture could not be decoded, so that it has no variants yet. */
  readonly isDecoded: boolean
  readonly facts: ImageFacts
  /** Digest of the picture without metadata; null if it has none. */
  readonly cleaned: string | null
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

/** Whether a build has left derived pictures in an output folder. */
export function hasPictureCache(out: string): boolean {
  return existsSync(folderOf(out))
}

/**
 * Opens the derived pictures of an output folder, by digest and recipe, so that no build derives one again. Callers hold
 * the lock of the output folder: another build would remove what this one has not recorded yet.
 */
export async function openPictureCache(out: string) {
  const folder = folderOf(out)
  await mkdirp(folder)
  const left = new Set(await readdir(folder))
  const used = new Set<string>()

  return {
    /** Null for a picture that is to be read, also where one of its files is missing. */
    async record(digest: string): Promise<PictureRecord | null> {
      if (!left.has(recordName(digest))) return null
      const record = parsed(await readFile(join(folder, recordName(digest)), 'utf8'))
      if (record === null || !filesOf(digest, record).every((name) => left.has(name))) return null
      use(digest, record)
      return record
    },
    async store(digest: string, record: PictureRecord): Promise<void> {
      const file = join(folder, recordName(digest))
      await writeFile(`${file}.tmp`, JSON.stringify(record))
      await rename(`${file}.tmp`, file)
      use(digest, record)
    },
    /** Marks a file as used, whether it is in the cache or about to be. Returns whether it is. */
    keep(name: string): boolean {
      used.add(name)
      return left.has(name)
    },
    /** The absolute path of a file in the cache. */
    path: (name: string) => join(folder, name),
    recipeDigest: (digest: string, recipe: VariantRecipe) => sha256(recipeText(digest, recipe)),
    cleanedName,
    /** Removes files that no picture of this build uses. */
    async prune(): Promise<void> {
      for (const name of await readdir(folder))
        if (!used.has(name)) await rm(join(folder, name), { force: true })
    },
  }

  function use(digest: string, record: PictureRecord): void {
    for (const name of filesOf(digest, record)) used.add(name)
  }
}

export type PictureCache = Awaited<ReturnType<typeof openPictureCache>>

function folderOf(out: string): string {
  return join(out, STATE_FOLDER, 'media')
}

/** The names of the files of a picture in the cache. */
function filesOf(digest: string, { variants, cleaned }: PictureRecord): readonly string[] {
  return [
    recordName(digest),
    ...(cleaned === null ? [] : [cleanedName(digest)]),
    ...variants.map(({ file }) => file),
  ]
}

function recordName(digest: string): string {
  return `${digest}.json`
}

function cleanedName(digest: string): string {
  return `${digest}.clean`
}

/** Null for a file that was cut off or is of another version. */
function parsed(text: string): PictureRecord | null {
  try {
    const record = JSON.parse(text) as PictureRecord | null
    return record?.version === RECIPE_VERSION && Array.isArray(record.formats) ? record : null
  } catch {
    return null
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
