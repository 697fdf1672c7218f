import { Readable } from 'node:stream'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { openFile } from '../platform/file-body.ts'
import { openChunks } from '../secrets/seal-stream.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { StorageError } from '../storage/storage.ts'

/** A decrypted page, with the files that it shows by their addresses. */
interface PageWithFiles {
  readonly published_at: string
  readonly assets?: Readonly<Record<string, PageFile>>
}

interface PageFile {
  /** The encrypted file, relative to the folder of the pages. */
  readonly file: string
  /** Size of the decrypted file; `digest` is of the same bytes. */
  readonly bytes: number
  readonly digest: string
}

/**
 * Decrypts the images and files of pages into a folder, each at the path of its address. Files in the folder are
 * replaced. If pages show different bytes at one address, the page published last counts.
 *
 * @param pathOf the path of the encrypted file; rejects for one that is not in the folder of the pages.
 * @returns how many were written.
 * @throws {ServiceError} for a file that is missing, damaged, sealed with another key, or not the one in its page.
 */
export async function writePageFiles(
  pages: readonly PageWithFiles[],
  key: Uint8Array,
  into: string,
  pathOf: (file: string) => Promise<string>,
): Promise<number> {
  const storage = createLocalFolderStorage({ root: into })
  const shown = new Map<string, PageFile>()
  for (const { assets = {} } of pages.toSorted(byTime))
    for (const [address, asset] of Object.entries(assets)) shown.set(keyOf(address), asset)
  for (const [name, { file, bytes: size, digest }] of shown) {
    const path = await pathOf(file)
    const open = () => Readable.from(openChunks(openFile(path), key), { objectMode: false })
    try {
      await storage.put({ key: name, body: { size, digest, open } })
    } catch (error) {
      const isOther = error instanceof RangeError || (error instanceof StorageError && !error.transient)
      const reason = isOther ? 'the key is wrong, or the file was changed' : messageOf(error)
      throw new ServiceError('invalid_request', `${path} cannot be decrypted: ${reason}.`, { cause: error })
    }
  }
  return shown.size
}

function byTime(a: PageWithFiles, b: PageWithFiles): number {
  return a.published_at < b.published_at ? -1 : 1
}

/** The path of a file in the folder. @throws {ServiceError} for an address that leads out of it. */
function keyOf(address: string): string {
  const key = pathIn(address)
  if (key !== null && isSafeKey(key)) return key
  throw new ServiceError('invalid_request', `A page names the file ${JSON.stringify(address)}; refused.`)
}

function pathIn(address: string): string | null {
  try {
    return decodeURIComponent(address.slice(1))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
