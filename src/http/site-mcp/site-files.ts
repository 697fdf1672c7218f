import { buffer } from 'node:stream/consumers'
import type { RedirectRepository } from '../../db/repositories/redirects.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import type { Storage } from '../../storage/storage.ts'
import { wrapStoreErrors } from '../public/store-failed.ts'
import { ToolError } from './tool-error.ts'

/** Read limits of one call of a tool: the search index of a large site has files of some 100 KB. */
const MAX_FILES = 100
const MAX_BYTES = 16 * 2 ** 20

/** Published files of a site, for one call of a tool. */
export interface SiteFiles {
  /** The text of a file; null if there is none. @throws {ToolError} when the call has read too much. */
  read(key: string): Promise<string | null>
  /** The path of the page that the redirect with this document leads to; null without one. */
  movedTo(key: string): Promise<string | null>
}

export interface SiteFilesPorts {
  readonly storage: Pick<Storage, 'open'>
  readonly redirectAt: RedirectRepository['publicAt']
}

export function openSite(projectId: ProjectId, { storage, redirectAt }: SiteFilesPorts): SiteFiles {
  let files = 0
  let bytes = 0

  return {
    async read(key) {
      files += 1
      if (files > MAX_FILES) throw tooMuch()
      const object = await wrapStoreErrors(storage.open(storageKey(projectId, key)))
      if (object === null) return null
      bytes += object.size
      if (bytes > MAX_BYTES) {
        await object.close()
        throw tooMuch()
      }
      return (await wrapStoreErrors(buffer(object.stream()))).toString()
    },
    async movedTo(key) {
      const found = await redirectAt(projectId, key)
      if (found === null || found.kind === 'url') return null
      return found.kind === 'of page' || found.kind === 'page' ? found.path : null
    },
  }
}

function tooMuch(): ToolError {
  return new ToolError('That would read too much of the site at once. Ask with fewer or more exact words.')
}
