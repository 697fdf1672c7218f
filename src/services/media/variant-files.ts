import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ProjectId } from '../../domain/ids.ts'
import { type ImageVariant, RECIPE_VERSION } from '../../domain/image.ts'
import type { StoredVariant } from '../../domain/picture-variants.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import { type FileBody, readFileBody } from '../../platform/file-body.ts'
import { type OpenObject, type Storage, StorageError } from '../../storage/storage.ts'
import type { FileBytes } from './originals.ts'

/** Temporary files, which a sweep removes after the process was killed; also what is written next to them. */
export interface TemporaryFiles {
  receive(source: Readable, largest: () => number): Promise<FileBytes>
  remove(file: Pick<FileBytes, 'path'>): Promise<void>
}

export interface VariantFilePorts {
  readonly mediaStore: Pick<Storage, 'open'>
  readonly images: Pick<ImageProcessor, 'derive'>
  readonly incoming: TemporaryFiles
}

/** Copies a stored object into a file that exists while `work` runs. */
export async function withCopy<Result>(
  stored: OpenObject,
  incoming: TemporaryFiles,
  work: (file: FileBytes) => Promise<Result> | Result,
): Promise<Result> {
  const source = stored.stream()
  // Receiving leaves a stream open when it fails.
  const file = await incoming.receive(source, () => Number.POSITIVE_INFINITY).finally(() => source.destroy())
  try {
    return await work(file)
  } finally {
    await incoming.remove(file)
  }
}

/** Originals and variants of images as temporary files. */
export function createVariantFiles({ mediaStore, images, incoming }: VariantFilePorts) {
  return {
    /**
     * Reads an original from the media store into a file that exists while `work` runs.
     *
     * @throws {Error} when it is missing there, or has another digest.
     */
    async withOriginal<Result>(
      key: string,
      storedDigest: string,
      work: (file: FileBytes) => Promise<Result>,
    ): Promise<Result> {
      const stored = await mediaStore.open(key)
      if (stored === null) throw new StorageError(MISSING, { transient: false })
      return withCopy(stored, incoming, (file) => {
        if (file.digest !== storedDigest) throw new StorageError(CHANGED, { transient: false })
        return work(file)
      })
    },

    /**
     * Derives a variant with the recipe of this version into a file that exists while `work` runs.
     *
     * @param projectId the project of the image, whose account has its turn.
     * @throws {ServiceError} `validation_error` when the image cannot be decoded.
     */
    async withVariant<Result>(
      projectId: ProjectId,
      { path }: FileBytes,
      { width, format }: Pick<ImageVariant, 'width' | 'format'>,
      work: (variant: StoredVariant, body: FileBody) => Promise<Result>,
    ): Promise<Result> {
      const into = `${path}-${width}.${format}`
      try {
        const recipe = { width, height: null, format, focus: null }
        const { height } = await images.derive(path, recipe, into, projectId)
        const body = await readFileBody(into)
        const { size: bytes, digest } = body
        return await work({ width, height, format, digest, bytes, recipe: RECIPE_VERSION }, body)
      } finally {
        await rm(into, { force: true })
      }
    },
  }
}

const MISSING = 'The picture is not in the media store.'
const CHANGED = 'The picture in the media store has other bytes than were uploaded.'
