import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Addressed } from '../domain/route.ts'
import { textUnlessGone } from './file-text.ts'
import { type FileList, listFiles } from './list-files.ts'
import { type FolderTypes, type PageFile, type PageReading, readPage } from './page-file.ts'
import { type SiteReading, siteOf } from './read-site.ts'
import type { SitePage } from './site.ts'

/** Reads one folder again and again; a file that did not change is read and understood once. */
export interface SiteReader {
  /**
   * The folder as it is now, as `readSite` reads it. One reading at a time.
   */
  read(changed: FolderChanges): Promise<SiteReading>
}

export interface FolderChanges {
  /** Files that may have another content than at the last reading, relative to the folder. */
  readonly files: ReadonlySet<string>
  /** Whether files may have come or gone. */
  readonly isListDue: boolean
}

/** A page as it was understood last, of what text and with which types of folders. */
interface Understood {
  readonly text: string
  readonly types: FolderTypes
  readonly reading: PageReading
}

/** A page as it stood in the site last, and among which files it did. */
interface Placed {
  readonly parent: Addressed | null
  readonly among: string
  readonly page: SitePage
}

/** Like `readSite`, to be asked more than once. */
export function createSiteReader(folder: string, passedOver: string | null): SiteReader {
  /** Null for bytes that are not UTF-8. */
  let texts: ReadonlyMap<string, string | null> = new Map()
  let pages: ReadonlyMap<string, Understood> = new Map()
  const places = new WeakMap<PageFile, Placed>()
  let listed: FileList | null = null
  let last: SiteReading | null = null

  return {
    async read({ files: changed, isListDue }) {
      if (last !== null && !isListDue && ![...changed].some((path) => texts.has(path))) return last
      listed = listed === null || isListDue ? listFiles(folder, passedOver) : listed
      const textsNow = new Map<string, string | null>()
      const pagesNow = new Map<string, Understood>()
      last = siteOf(folder, listed, {
        textOf(path) {
          const before = changed.has(path) ? undefined : texts.get(path)
          const text = before === undefined ? textUnlessGone(join(folder, path)) : before
          if (text !== undefined) textsNow.set(path, text)
          return text
        },
        understood(path, text, types) {
          const before = pages.get(path)
          const isSame = before?.text === text && isDeepStrictEqual(before.types, types)
          const page = isSame ? before : { text, types, reading: readPage(path, text, types) }
          pagesNow.set(path, page)
          return page.reading
        },
        placed({ file, parent }, among, place) {
          const before = places.get(file)
          if (before?.among === among && isDeepStrictEqual(before.parent, parent)) return before.page
          const page = place()
          places.set(file, { parent, among, page })
          return page
        },
      })
      texts = textsNow
      pages = pagesNow
      return last
    },
  }
}
