import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { createIncomingFiles, type IncomingFiles } from '../media/incoming-files.ts'
import { fallbackOn } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import type { Storage } from '../storage/storage.ts'
import type { Config } from './config.ts'
import { openStorage } from './storage.ts'

const PRIVATE_FOLDER = 0o700

/** The private store of uploads, and the folder in which they arrive. */
export interface Media {
  readonly store: Storage
  readonly incoming: IncomingFiles
}

export async function openMedia({ data, media }: Pick<Config, 'data' | 'media'>): Promise<Media> {
  const uploads = join(data, 'uploads')
  for (const folder of [uploads, ...(media.kind === 'folder' ? [media.folder] : [])])
    await makePrivate(folder)
  return { store: await openStorage(media), incoming: createIncomingFiles(uploads) }
}

/** Other users of the machine cannot read what is not published. A mounted volume may belong to another user. */
async function makePrivate(folder: string): Promise<void> {
  await mkdirp(folder)
  await fallbackOn(['EPERM'], chmod(folder, PRIVATE_FOLDER), undefined)
}
