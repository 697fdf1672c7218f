import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Addressed } from '../domain/route.ts'
import { type ReferenceReading, readReference } from './api-reference.ts'
import { SITE_FILE } from './file-kind.ts'
import { textUnlessGone } from './file-text.ts'
import { type FileList, listFiles } from './list-files.ts'
import { type FolderTypes, type PageFile, type PageReading, readPage } from './page-file.ts'
import { assembleSite, type SiteReading } from './read-site.ts'
import type { SitePage } from './site.ts'

/** Reads one folder repeatedly. Unchanged files are neither read nor parsed again. */
export interface SiteReader {
  /**
   * Returns what `readSite` would return, with the same errors. A page that got an error stays on the site in its last
   * version without one. Callers await one call before the next.
   */
  read(changed: FolderChanges): Promise<SiteReading>
}

export interface FolderChanges {
  /** Files whose content may differ from the previous reading, relative to the folder. */
  readonly files: ReadonlySet<string>
  /** True if files may have been added or removed. */
  readonly isListDue: boolean
}

interface CachedReading {
  readonly text: string
  readonly types: FolderTypes
  readonly reading: PageReading
}

interface CachedPage {
  readonly parent: Addressed | null
  readonly dependencies: string
  readonly page: SitePage
}

export function createSiteReader(folder: string, ignoredFolder: string | null): SiteReader {
  /** Texts by file. Null for a file that is not UTF-8. */
  let texts: ReadonlyMap<string, string | null> = new Map()
  let readings: ReadonlyMap<string, CachedReading> = new Map()
  let references: ReadonlyMap<string, { readonly text: string; readonly reading: ReferenceReading }> =
    new Map()
  const finished = new WeakMap<PageFile, CachedPage>()
  let listed: FileList | null = null
  let last: SiteReading | null = null

  return {
    async read({ files: changed, isListDue }) {
      if (last !== null && !isListDue && ![...changed].some((path) => texts.has(path))) return last
      // site.yaml says which files are ignored.
      const isOther = isListDue || changed.has(SITE_FILE)
      listed = listed === null || isOther ? listFiles(folder, ignoredFolder) : listed
      const nextTexts = new Map<string, string | null>()
      const nextReadings = new Map<string, CachedReading>()
      const nextReferences = new Map(references)
      last = assembleSite(folder, listed, {
        textOf(path) {
          const cached = changed.has(path) ? undefined : texts.get(path)
          const text = cached === undefined ? textUnlessGone(join(folder, path)) : cached
          if (text !== undefined) nextTexts.set(path, text)
          return text
        },
        expandsIncludes: true,
        readPage(path, text, types) {
          const cached = readings.get(path)
          const isCurrent = cached?.text === text && isDeepStrictEqual(cached.types, types)
          const next = isCurrent ? cached : { text, types, reading: readPage(path, text, types) }
          const kept = withLast(next, cached)
          nextReadings.set(path, kept)
          return kept.reading
        },
        readReference(file, text) {
          const cached = references.get(file)
          const next = cached?.text === text ? cached : { text, reading: readReference(file, text) }
          nextReferences.set(file, next)
          return next.reading
        },
        finishPage({ file, parent }, dependencies, finish) {
          const cached = finished.get(file)
          if (cached?.dependencies === dependencies && isDeepStrictEqual(cached.parent, parent))
            return cached.page
          const page = finish()
          finished.set(file, { parent, dependencies, page })
          return page
        },
      })
      texts = nextTexts
      readings = nextReadings
      references = nextReferences
      return last
    },
  }
}

/** A page with errors in its last version without any. */
function withLast(next: CachedReading, previous: CachedReading | undefined): CachedReading {
  const { file, isPage } = next.reading
  const last = previous?.reading.file ?? null
  return file !== null || last === null || !isPage
    ? next
    : { ...next, reading: { ...next.reading, file: last } }
}
