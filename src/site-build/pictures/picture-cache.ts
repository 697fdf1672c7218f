import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageFacts, RECIPE_VERSION, type VariantRecipe } from '../../domain/image.ts'
import { recipeText } from '../../domain/media.ts'
import { fallbackOn, NOT_FOUND } from '../../platform/fs-errors.ts'
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

/** Derived pictures of an output folder, by digest and recipe, so that no build derives one again. */
export function createPictureCache(out: string) {
  const folder = join(out, STATE_FOLDER, 'media')
  const used = new Set<string>()

  return {
    async record(digest: string): Promise<PictureRecord | null> {
      const text = await fallbackOn(NOT_FOUND, readFile(join(folder, recordName(digest)), 'utf8'), null)
      const record = text === null ? null : parsed(text)
      if (record === null) return null
      use(digest, record)
      return record
    },
    async store(digest: string, record: PictureRecord): Promise<void> {
      const file = join(folder, recordName(digest))
      await writeFile(`${file}.tmp`, JSON.stringify(record))
      await rename(`${file}.tmp`, file)
      use(digest, record)
    },
    prepare: () => mkdirp(folder),
    /** The absolute path of a file in the cache. */
    path: (name: string) => join(folder, name),
    recipeDigest: (digest: string, recipe: VariantRecipe) => sha256(recipeText(digest, recipe)),
    cleanedName,
    /** Removes files that no picture of this build uses. */
    async prune(): Promise<void> {
      const names = await fallbackOn(NOT_FOUND, readdir(folder), [])
      for (const name of names) if (!used.has(name)) await rm(join(folder, name), { force: true })
    },
  }

  function use(digest: string, { variants, cleaned }: PictureRecord): void {
    used.add(recordName(digest))
    if (cleaned !== null) used.add(cleanedName(digest))
    for (const { file } of variants) used.add(file)
  }
}

export type PictureCache = ReturnType<typeof createPictureCache>

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
    return record?.version === RECIPE_VERSION ? record : null
  } catch {
    return null
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
