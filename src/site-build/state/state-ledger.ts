import type { OwnerKind } from '../../domain/artifact.ts'
import type { PageId } from '../../domain/ids.ts'
import type { LiveFacts } from '../../domain/live-page.ts'
import type { PageType } from '../../domain/page.ts'
import type { Stamp } from '../../domain/release.ts'
import type { IndexLine, LiveObject } from '../../publish/ledger/live-state.ts'
import { headerDigestOf } from '../../publish/pipeline/plan.ts'
import type { BatchLedger } from '../../publish/ports.ts'
import { newestOf } from '../feed-entries.ts'
import { idOf } from '../stable-ids.ts'
import { type BuildState, STATIC_OWNER } from './build-state.ts'
import type { BuiltFile, BuiltPage } from './built-page.ts'

/** The queries of the publish path, answered from the previous state. */
export function createStateLedger(state: BuildState): BatchLedger {
  const { site, pages, slots, feed, files } = state
  const rows = [...pages.values()]

  return {
    liveState: {
      site: async () => site,
      facts: async (_, type) => rows.map(({ facts }) => facts).filter((facts) => facts.type === type),
      translations: async (_, keys) => {
        const wanted = new Set(keys)
        const isWanted = ({ translated }: LiveFacts) => translated !== undefined && wanted.has(translated.key)
        return rows.map(({ facts }) => facts).filter(isWanted)
      },
      pagesAt: async (_, paths) => {
        const wanted = new Set(paths)
        return rows.map(({ facts }) => facts).filter(({ path }) => wanted.has(path))
      },
      cards: async (_, type: PageType) =>
        rows.filter(({ facts }) => facts.type === type).map(({ card }) => card),
      indexLines: async () => rows.map(indexLine),
      feedEntries: async (_, limit) =>
        newestOf(rows, limit).flatMap((id) => {
          const entry = feed.get(id)
          return entry === undefined ? [] : [{ pageId: id, entry }]
        }),
      slotsOf: async (_, ids) => {
        const wanted = new Set(ids)
        return slots.filter(({ pageId }) => wanted.has(pageId))
      },
      nextSlots: async (_, folders) => {
        const next = new Map(folders.map((folder) => [folder, 0]))
        for (const { folder, slot } of slots) {
          const known = next.get(folder)
          if (known !== undefined) next.set(folder, Math.max(known, slot + 1))
        }
        return next
      },
      objectsOfPages: async (_, ids) => {
        const owned = files.ofPages(new Set(ids))
        return owned.map(([key, file]) => toObject(key, file, state))
      },
      objectsOfKinds: async (_, kinds) =>
        kinds.flatMap((kind) => {
          // The search index is built after all pages are rendered.
          if (kind === 'search') return []
          if (kind === 'page' || kind === 'redirect') throw new Error('Files of pages are queried by page.')
          return objectsOfKind(state, kind)
        }),
      objectsAt: async (_, keys) =>
        keys.flatMap((key) => {
          const file = files.get(key)
          return file === undefined ? [] : [toObject(key, file, state)]
        }),
      objectsClaimedBy: async () => [],
      // A build restores no redirects at freed paths.
      formersAt: async () => [],
    },
    // A build publishes from source files: it never reverts, and its content key is an argument.
    storedArtifacts: {
      find: async () => null,
      contentsOf: async () => null,
      contentKeys: async () => [],
    },
    searchRows: {
      pages: async () => [],
      entries: async () => [],
      base: async () => null,
    },
  }
}

/** The lines of a page in the indexes. */
export function indexLine({ facts, details }: BuiltPage): IndexLine {
  const { line, sitemap, llms } = details()
  const { id: pageId, subroute, slug, translated } = facts
  return { pageId, subroute, slug, line, sitemap, llms, ...(translated !== undefined && { translated }) }
}

/** All files of one kind of owner, in the form that the publish path uses. */
export function objectsOfKind(
  state: Pick<BuildState, 'files' | 'site' | 'pages'>,
  kind: Exclude<OwnerKind, 'page' | 'redirect'>,
): readonly LiveObject[] {
  const files = [...state.files.others].filter(([, { owner }]) => (owner ?? STATIC_OWNER).kind === kind)
  return files.map(([key, file]) => toObject(key, file, state))
}

/** A file in the form that the publish path uses. */
function toObject(
  key: string,
  { owner, digest }: BuiltFile,
  { site, pages }: Pick<BuildState, 'site' | 'pages'>,
): LiveObject {
  const page = owner?.kind === 'page' ? pages.get(owner.id as PageId) : undefined
  return {
    key,
    owner: owner ?? STATIC_OWNER,
    digest,
    headerDigest: headerDigestOf(key),
    keyId: owner === null || key === '_index.json' ? null : (site?.site.keyId ?? null),
    writtenBy: page === undefined ? null : stampOf(page),
  }
}

/** The release that last wrote the files of a page. */
export function stampOf({ facts, details }: BuiltPage): Stamp {
  const { publishedAt } = details()
  return { releaseId: idOf('rel', `${facts.id} ${publishedAt}`), publishedAt }
}
