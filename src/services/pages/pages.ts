import { ANY_PAGE, type PageFilter, type PageSort, type PageStats } from '../../db/repositories/pages.ts'
import type { Home } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Caller, ReserveBytes } from '../../domain/caller.ts'
import type { PageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  type Page,
  type PageStatus,
  type PageSummary,
  sectionsOf,
  type TypeFields,
} from '../../domain/page.ts'
import type { Listed, Paging } from '../../domain/paging.ts'
import type { Right } from '../../domain/roles.ts'
import type { Source } from '../../domain/source.ts'
import { resolvedFields } from '../../page-text/derive.ts'
import type { DocumentContent } from '../../page-text/page-document.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'
import { queriesOf } from '../../render/listing/collections.ts'
import { collectionQueries } from '../../sections/collection-query.ts'
import { accessPage, accessProject, accessScheduledPage, assertWritable } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import { awaitRelease } from '../publishing/await-release.ts'
import { collectionsNow } from '../publishing/collections.ts'
import { type EnqueuedRelease, enqueuePublish, enqueueRemoval } from '../publishing/enqueue-release.ts'
import type { PageTexts } from '../publishing/page-texts.ts'
import { cancelSchedule, schedulesOf } from '../publishing/scheduling.ts'
import { siteOfProject } from '../publishing/snapshots.ts'
import { AWAITED_WAITS, type WithPictures } from '../publishing/social-pictures.ts'
import type { LiveDifference, Staleness } from '../publishing/staleness.ts'
import { createPageWriter, type NewPage, type PageChange, parentFault } from './write-page.ts'

/** A page with everything that its presentation needs. */
export interface PageDetails {
  readonly page: Page
  readonly fields: TypeFields
  readonly home: Home
  readonly difference: LiveDifference
  /** Time of the scheduled publish; null without a schedule. */
  readonly scheduledAt: string | null
  /** The file that it was last pushed from; null for none. */
  readonly source: Source | null
}

/** A list of pages of one project. */
export interface PageList<Item> extends Listed<Item> {
  readonly home: Home
  /** Difference of each listed page from its live version. */
  readonly differences: ReadonlyMap<PageId, LiveDifference>
  /** Times of scheduled publishes; pages without a schedule are left out. */
  readonly schedules: ReadonlyMap<PageId, string>
}

/** The fields that only pages of one type have. */
export interface ShownFields {
  /** Fields as the API shows them before an update. */
  readonly now: TypeFields
  /** Returns the fields with other content, which may set them too. */
  withContent(content: Partial<Pick<Page, 'config' | 'markdown'>>): TypeFields
}

export type PageService = ReturnType<typeof createPageService>

export interface PagePorts extends ServiceContext {
  readonly staleness: Staleness
  readonly liveState: LiveState
}

export function createPageService(context: PagePorts) {
  const { db, publisher, renderer, now, addresses, staleness, liveState, socialPictures } = context
  const writer = createPageWriter(context)

  return {
    /**
     * @param project the id as the client sent it.
     * @param readDraft reads the body; called once the project is known to be the caller's.
     * @throws {ServiceError} `conflict` when the slug is taken in the subroute; `forbidden` when the account stores
     *   as much as it may.
     */
    async create(caller: Caller, project: string, readDraft: (home: Home) => NewPage): Promise<PageDetails> {
      return db.write(async (repositories) => {
        const home = await accessProject(repositories, caller, project, ['write'])
        assertWritable(home.project)
        const moment = now()
        const id = await withIdempotency(repositories, caller, moment, async () => {
          const page = await writer.insert(repositories, caller, home, readDraft(home))
          await writer.assertWithinLimits(repositories, page.projectId, [page])
          return page.id
        })
        return this.get({ ...caller, permissions: ['read'] }, id, repositories)
      })
    },

    async get(caller: Caller, ref: string, repositories = db.read): Promise<PageDetails> {
      const found = await accessScheduledPage(repositories, caller, ref, ['read'])
      return detailed(repositories, found, caller.reserve)
    },

    /** Returns the titles of these pages, without pages of other projects and deleted ones. */
    async titles(
      caller: Caller,
      project: string,
      ids: readonly PageId[],
    ): Promise<ReadonlyMap<PageId, string>> {
      const home = await accessProject(db.read, caller, project, ['read'])
      return db.read.pages.titlesWithin(home.project.id, ids)
    },

    /**
     * The page as one Markdown document, with the pages that its `posts` sections would show if it were published now.
     *
     * @param content the part of the page to show.
     * @param stated front matter about the page, by wire name.
     */
    async document(
      { page, fields, home: { project } }: PageDetails,
      content: DocumentContent,
      stated: JsonObject,
    ): Promise<string> {
      const site = siteOfProject(project, addresses)
      const hasLists = collectionQueries(sectionsOf(page), false).length > 0
      const queries = hasLists
        ? queriesOf({ page, fields, site, settings: (await db.read.settings.find(project.id)).settings })
        : []
      const collections = await collectionsNow(project.id, queries, page.id, liveState)
      return renderer.document(project.id, { page: content, stated, collections })
    },

    async list(
      caller: Caller,
      project: string,
      filter: Omit<PageFilter, 'projectId'>,
      paging: Paging<PageSort>,
    ): Promise<PageList<PageSummary>> {
      const home = await accessProject(db.read, caller, project, ['read'])
      const found = await db.read.pages.list({ ...filter, projectId: home.project.id }, paging)
      return { ...found, home, ...(await stateOf(found.items, home, caller.reserve)) }
    },

    async listWithContent(
      caller: Caller,
      project: string,
      filter: Omit<PageFilter, 'projectId'>,
      paging: Paging<PageSort>,
    ): Promise<PageList<Page>> {
      const home = await accessProject(db.read, caller, project, ['read'])
      const found = await db.read.pages.listWithContent(
        { ...filter, projectId: home.project.id },
        paging,
        caller.reserve,
      )
      return { ...found, home, ...(await stateOf(found.items, home, caller.reserve)) }
    },

    /** The newest pages, at most 100. */
    newest(caller: Caller, project: string): Promise<PageList<PageSummary>> {
      return this.list(caller, project, ANY_PAGE, {
        sort: 'created_at',
        order: 'desc',
        limit: 100,
        offset: 0,
      })
    },

    async stats(caller: Caller, project: string): Promise<PageStats> {
      const home = await accessProject(db.read, caller, project, ['read'])
      return db.read.pages.stats(home.project.id)
    },

    /**
     * Edits a page and, when the change has a status, moves it to that status. When the publish is refused, the edit is
     * reverted.
     *
     * @param readChange reads the body, knowing the page; called once the page is known to be the caller's.
     * @throws {ServiceError} `conflict` when the slug is taken, or the path at publish; `internal_error` when the store
     *   failed: the edit then stays.
     * @throws {ReleaseContinues} when a move takes longer than a request may: the edit is stored.
     */
    async update(
      caller: Caller,
      ref: string,
      needs: readonly Right[],
      readChange: (page: Page, shown: ShownFields, home: Home) => PageChange,
    ): Promise<PageDetails> {
      const { stored, home, accepted } = await socialPictures.accept(
        AWAITED_WAITS,
        async (repositories, withPictures, texts) => {
          const { page, home } = await accessPage(repositories, caller, ref, needs)
          assertWritable(home.project)
          const change = readChange(page, await shownBefore(repositories, page), home)
          const written = await writer.update(repositories, caller, { page, home }, change)
          const { edited, stored } = written
          await writer.assertWithinLimits(repositories, page.projectId, [written])
          const { status } = change
          return {
            stored,
            home,
            accepted:
              status &&
              (await moveTo(repositories, { withPictures, texts }, caller, status, page, edited, home)),
          }
        },
      )
      if (accepted === null) {
        const schedules = await schedulesOf(db.read, [stored])
        return detailed(db.read, { page: stored, home, scheduledAt: schedules.get(stored.id) ?? null })
      }
      await awaitRelease(publisher, caller, accepted)
      // The request has its memory already, and must not be refused after its effect.
      const { reserve: _, ...known } = caller
      return this.get({ ...known, permissions: ['read'] }, stored.id)
    },
  }

  async function stateOf(
    items: Parameters<Staleness>[0],
    home: Home,
    reserve: ReserveBytes | undefined,
  ): Promise<Pick<PageList<unknown>, 'differences' | 'schedules'>> {
    const [differences, schedules] = await Promise.all([
      staleness(items, home, reserve),
      schedulesOf(db.read, items),
    ])
    return { differences, schedules }
  }

  async function detailed(
    repositories: Repositories,
    found: Pick<PageDetails, 'page' | 'home' | 'scheduledAt'>,
    reserve?: ReserveBytes,
  ): Promise<PageDetails> {
    const { page, home } = found
    const difference = differenceOf(page, await staleness([page], home, reserve))
    return {
      ...found,
      difference,
      fields: await shownFields(repositories, page),
      source: await repositories.sources.find(page.id),
    }
  }

  /** Enqueues the release that moves a page to a status; null when none is needed. */
  async function moveTo(
    repositories: Repositories,
    accepting: {
      readonly withPictures: WithPictures
      readonly texts: PageTexts
    },
    actor: Actor,
    status: PageStatus,
    before: Page,
    after: Page,
    home: Home,
  ): Promise<EnqueuedRelease | null> {
    if (status === 'published') {
      const undo = before === after ? null : { before, after }
      return enqueuePublish(repositories, context, after, home, {
        actor,
        undo,
        strict: false,
        isAwaited: true,
        ...accepting,
      })
    }
    if (before.status === 'published') {
      return enqueueRemoval(repositories, context, after, home, {
        actor,
        op: 'unpublish',
        statusAfter: status,
        lenient: true,
      })
    }
    if (status === 'archived')
      await cancelSchedule(repositories, after.id, 'Cancelled: the page was archived.', now())
    return null
  }
}

/** The fields of a page's type before an update. */
export async function shownBefore(repositories: Repositories, page: Page): Promise<ShownFields> {
  return {
    now: await shownFields(repositories, page),
    withContent: (content) => resolvedFields({ ...page, ...content }),
  }
}

/** The type's own fields as the API shows them: a parent that is no longer valid reads as null. */
async function shownFields(repositories: Repositories, page: Page): Promise<TypeFields> {
  const fields = resolvedFields(page)
  const fault = await parentFault(repositories, page, fields.parentPage)
  return fault === null ? fields : { ...fields, parentPage: null }
}

/** @throws {RangeError} when the page was not compared, which is a bug. */
export function differenceOf(
  { id }: { readonly id: PageId },
  differences: ReadonlyMap<PageId, LiveDifference>,
): LiveDifference {
  const difference = differences.get(id)
  if (difference === undefined) throw new RangeError(`Page ${id} was not compared.`)
  return difference
}
