import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openFile } from '../../platform/file-body.ts'
import { sealedFileName } from '../../secrets/content-key.ts'
import { openBytes, sealBytes } from '../../secrets/seal.ts'
import { createSealStream, newIv, openChunks } from '../../secrets/seal-stream.ts'

/** Storage of the files of an image cache in its folder. */
export interface CacheFiles {
  /** The name in the folder of a file with this name. */
  storedName(name: string): string
  /** The absolute path at which a derived file is written, before `take`. */
  draft(name: string): string
  /** Stores the file written to `draft`. */
  take(name: string): Promise<void>
  open(name: string): Readable
  /** Returns null if the file cannot be read with this key. */
  readText(name: string): Promise<string | null>
  writeText(name: string, text: string): Promise<void>
  /** Removes drafts that were not taken. */
  close(): Promise<void>
}

export function plainCacheFiles(folder: string): CacheFiles {
  const path = (name: string) => join(folder, name)
  return {
    storedName: (name) => name,
    draft: path,
    take: async () => {},
    open: (name) => openFile(path(name)),
    readText: (name) => readFile(path(name), 'utf8'),
    writeText: (name, text) => replace(path(name), (file) => writeFile(file, text)),
    close: async () => {},
  }
}

/**
 * Files sealed with the content key. Without it, they can neither be read nor be matched to an image. Drafts are in the
 * system's folder for temporary files, since the output folder never has an image in plain.
 */
export async function sealedCacheFiles(folder: string, contentKey: Uint8Array): Promise<CacheFiles> {
  const drafts = await mkdtemp(join(tmpdir(), 'quoin-pictures-'))
  const storedName = (name: string) => sealedFileName(contentKey, name)
  const path = (name: string) => join(folder, storedName(name))
  const draft = (name: string) => join(drafts, name)
  return {
    storedName,
    draft,
    async take(name) {
      const seal = (file: string) =>
        pipeline(openFile(draft(name)), createSealStream(contentKey, newIv()), createWriteStream(file))
      await replace(path(name), seal)
      await rm(draft(name))
    },
    open: (name) => Readable.from(openChunks(openFile(path(name)), contentKey), { objectMode: false }),
    async readText(name) {
      try {
        const sealed = await readFile(path(name))
        return Buffer.from(openBytes(sealed, contentKey, Buffer.from(name))).toString()
      } catch (error) {
        if (error instanceof RangeError) return null
        throw error
      }
    },
    writeText: (name, text) =>
      replace(path(name), (file) =>
        writeFile(file, sealBytes(Buffer.from(text), contentKey, Buffer.from(name))),
      ),
    close: () => rm(drafts, { recursive: true, force: true }),
  }
}

async function replace(file: string, write: (temporary: string) => Promise<void>): Promise<void> {
  await write(`${file}.tmp`)
  await rename(`${file}.tmp`, file)
}
