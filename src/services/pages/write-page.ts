import type { Home } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { AccountLimit } from '../../domain/account-limits.ts'
import { type Actor, changedFields } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import { localeWithCode } from '../../domain/locale.ts'
import {
  applyEdit,
  isEmptyEdit,
  newPage,
  type Page,
  type PageDraft,
  type PageEdit,
  type PageStatus,
} from '../../domain/page.ts'
import { siteOrigin } from '../../domain/project.ts'
import { publicUrlPath } from '../../domain/route.ts'
import type { SourceFile } from '../../domain/source.ts'
import { storedEvent } from '../../domain/webhook-events.ts'
import { derive, resolvedFields } from '../../page-text/derive.ts'
import type { PageInProject } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { recordPageSource, type WrittenSource } from '../pushes/record-source.ts'
import { assertListAddresses } from './list-addresses.ts'

/* Every write of a page's fields: of one page and of many, in the transaction of the caller. */

/** Changes that a request asks for. */
export interface PageChange {
  readonly edit: PageEdit
  /** The new status; null keeps the current one. */
  readonly status: PageStatus | null
  /** The file that the change comes from; absent for none. */
  readonly source?: WrittenSource | null
}

/** A page that a request creates. */
export type NewPage = Omit<PageDraft, 'projectId'> & { readonly source?: SourceFile | null | undefined }

/** A page before and after a change. */
export interface WrittenPage {
  readonly before: Page
  /** The page with the fields of the change. */
  readonly edited: Page
  /** The page as stored: with a new status too, where that needs no release. */
  readonly stored: Page
}

export function createPageWriter(
  context: Pick<ServiceContext, 'accountLimits' | 'addresses' | 'newId' | 'now'>,
) {
  const { accountLimits, addresses, newId, now } = context

  return {
    /**
     * @throws {ServiceError} `validation_error` for a parent, locale or list that does not exist; `conflict` when the
     *   slug is taken.
     */
    async insert(
      repositories: Repositories,
      caller: Caller,
      home: Home,
      { source = null, ...written }: NewPage,
    ): Promise<Page> {
      const moment = now()
      const draft: PageDraft = { ...written, projectId: home.project.id }
      const page = newPage(draft, { id: newId<'page'>(), now: moment, derive })
      await assertParent(repositories, page)
      await assertLocale(repositories, page)
      await assertListAddresses(repositories, page, null, home)
      await repositories.pages.insert(page, caller.userId)
      if (source !== null)
        await recordPageSource(repositories, page, { file: source, created: true, fields: null }, now())
      await announceEdit('page.created', repositories, page, home, moment)
      await recordAct(repositories, context, caller, {
        act: 'page.create',
        of: { projectId: page.projectId },
        target: page.id,
        after: { version: page.version },
      })
      return page
    },

    /**
     * @param equal effect of a change that leaves the content as it is: it counts as an edit, or nothing is stored.
     * @throws {ServiceError} as `insert`.
     */
    async update(
      repositories: Repositories,
      actor: Actor,
      { page, home }: PageInProject,
      { edit, status, source = null }: PageChange,
      equal: 'counts' | 'skipped' = 'counts',
    ): Promise<WrittenPage> {
      const edited = editedPage(page, edit, equal)
      if (edit.ownFields?.parentPage !== undefined) await assertParent(repositories, edited)
      if (edited.ownFields.locale !== page.ownFields.locale) await assertLocale(repositories, edited)
      if (edited !== page) await assertListAddresses(repositories, edited, page, home)
      const stored = changesWithoutRelease(page, status) ? { ...edited, status } : edited
      if (stored !== page) {
        await repositories.pages.update(stored)
        await announceEdit('page.updated', repositories, stored, home, now())
        await recordAct(repositories, context, actor, {
          act: 'page.update',
          of: { projectId: page.projectId },
          target: page.id,
          before: { version: page.version },
          after: { version: stored.version },
          fields: editedFields(page, stored),
        })
      }
      if (source !== null) await recordPageSource(repositories, stored, source, now())
      return { before: page, edited, stored }
    },

    /**
     * Refuses writes that make the account exceed its limits. Call it after them, in their transaction.
     *
     * @throws {ServiceError} `forbidden` that names the limit.
     */
    async assertWithinLimits(
      repositories: Repositories,
      projectId: ProjectId,
      written: readonly (Page | WrittenPage)[],
    ): Promise<void> {
      const created = written.some((one) => !('before' in one))
      // A page may always become smaller, also in an account that exceeds its limit.
      const grown = written.some((one) => 'before' in one && draftBytes(one.stored) > draftBytes(one.before))
      const names: readonly AccountLimit[] = created ? ['pages_per_project', 'draft_bytes'] : ['draft_bytes']
      if (created || grown) await accountLimits.assertWithin(repositories, { projectId }, names)
    },
  }

  function editedPage(page: Page, edit: PageEdit, equal: 'counts' | 'skipped'): Page {
    if (isEmptyEdit(edit)) return page
    const next = applyEdit(page, edit, { now: now(), derive })
    return equal === 'skipped' && next.contentDigest === page.contentDigest ? page : next
  }

  function announceEdit(
    type: 'page.created' | 'page.updated',
    { webhooks }: Repositories,
    page: Page,
    { project, siteRoutes }: Home,
    moment: string,
  ): Promise<void> {
    const url = siteOrigin(project, addresses) + publicUrlPath(page, siteRoutes)
    return webhooks.enqueueEvents(project.id, [storedEvent(type, { ...page, url }, moment)], {
      newId,
      now: moment,
    })
  }
}

/** Names of the fields of a page that an edit changed. */
function editedFields(before: Page, after: Page): readonly string[] {
  const { title, slug, subroute, type, status, description, ogImageUrl, meta, config, markdown } = after
  const own = { title, slug, subroute, type, status, description, ogImageUrl, meta, config, markdown }
  return [...changedFields(before, own), ...changedFields(before.ownFields, after.ownFields)]
}

/** Length of what an edit can make longer without bound, as JSON. */
function draftBytes({ title, description, ogImageUrl, meta, config, markdown, ownFields }: Page): number {
  return Buffer.byteLength(
    JSON.stringify([title, description, ogImageUrl, meta, config, markdown, ownFields]),
  )
}

/** Reports whether a page changes its status without a release. */
function changesWithoutRelease(page: Page, status: PageStatus | null): status is 'draft' | 'archived' {
  return status !== null && status !== 'published' && page.status !== 'published' && page.status !== status
}

/** @throws {ServiceError} `validation_error` when the parent is no docs page of the project, or below the page. */
async function assertParent(repositories: Repositories, page: Page): Promise<void> {
  const parent = page.type === 'docs' ? (page.ownFields.parentPage ?? null) : null
  const fault = await parentFault(repositories, page, parent)
  if (fault !== null) throw fieldFailure('validation_error', [{ path: 'parent_page', message: fault }])
}

/** @throws {ServiceError} `validation_error` when a site with languages does not have the one that the page states. */
async function assertLocale({ settings }: Repositories, { projectId, ownFields }: Page): Promise<void> {
  const locale = ownFields.locale ?? null
  if (locale === null) return
  const { locales } = (await settings.find(projectId)).settings
  if (locales.length === 0 || localeWithCode(locale, locales) !== undefined) return
  const message = `must be one of ${locales.map(({ code }) => code).join(', ')}.`
  throw fieldFailure('validation_error', [{ path: 'locale', message, code: 'not_allowed' }])
}

/** Returns why a page cannot have this parent; null when it can. */
export async function parentFault(
  { pages }: Repositories,
  page: Page,
  parent: PageId | null,
): Promise<string | null> {
  const visited = new Set<PageId>()
  for (let ancestor = parent; ancestor !== null && !visited.has(ancestor); ) {
    if (ancestor === page.id) return 'must not be the page itself or one of its descendants.'
    visited.add(ancestor)
    const found: { readonly page: Page } | null = await pages.find(ancestor)
    const fits = found?.page.projectId === page.projectId && found.page.type === 'docs'
    if (!fits && ancestor === parent) return 'must be the id of a docs page of the same project.'
    ancestor = fits ? resolvedFields(found.page).parentPage : null
  }
  return null
}
