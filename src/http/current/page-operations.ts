import { z } from 'zod'
import type { Caller } from '../../domain/caller.ts'
import { type PageId, prefixed } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PublicAddresses } from '../../domain/project.ts'
import type { Right } from '../../domain/roles.ts'
import { assertPermitted } from '../../services/access.ts'
import type { JobService } from '../../services/jobs/jobs.ts'
import type { PageList as ListedPages, PageService } from '../../services/pages/pages.ts'
import type { ReleaseContinues } from '../../services/publishing/await-release.ts'
import { DEFAULT_OPTIONS, type PublishingService } from '../../services/publishing/publishing.ts'
import type { SchedulingService } from '../../services/publishing/scheduling.ts'
import { idParam } from '../answer-fields.ts'
import { listMeta, type Representation } from '../api.ts'
import {
  CreatePage,
  GetPage,
  ListPages,
  READ_ONLY,
  readCreatePage,
  readListPages,
  readUpdatePage,
  UpdatePage,
} from '../bodies/page-schemas.ts'
import {
  DeletePageQuery,
  EmptyBody,
  isSchedule,
  ListReleases,
  PublishPage,
  PublishQuery,
  RollBackPage,
  readNoFields,
  readPublish,
  readRollBack,
  readSchedule,
} from '../bodies/publish-schemas.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  accepted,
  CONTINUES,
  type Endpoint,
  endpointsWith,
  list,
  record,
} from '../endpoint.ts'
import { PageRef, readPageRef } from '../legacy-bodies.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { Job as JobAnswer } from './job-answers.ts'
import {
  CreatedPage,
  DeletedPage,
  Page,
  PageList,
  PendingPageRef,
  PublishedPage,
  PublishedPageRef,
  ReleaseList,
  RolledBackPage,
  UnpublishedPage,
  UnpublishedPageRef,
  UnscheduledPage,
  UpdatedPage,
} from './page-answers.ts'
import {
  linkToPublic,
  presentCreatedPage,
  presentDryRun,
  presentFrontMatter,
  presentPage,
  presentPageItem,
  presentPageItemWithContent,
  presentPublished,
  presentRelease,
  presentUnpublished,
  presentUnscheduled,
  presentUpdatedPage,
  shownContent,
} from './present.ts'
import { jobAnswer } from './present-job.ts'

export interface PageOperationPorts {
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly scheduling: SchedulingService
  readonly jobs: JobService
  readonly addresses: PublicAddresses
  readonly themes: readonly string[]
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

const endpoint = endpointsWith<PageOperationPorts>()

const params = idParam('page')

const CreatePageBody = requestBody(CreatePage, {
  id: 'CreatePage',
  either: ['title', 'page_name'],
  ignored: READ_ONLY.filter((field) => field !== 'project_id'),
})

const UpdatePageBody = requestBody(UpdatePage, {
  id: 'UpdatePage',
  either: ['title', 'page_name'],
  ignored: READ_ONLY,
})

const NAMED_BY_BODY =
  'Like the operation with the id in its path, for clients of `/v1` that drop only the prefix.'

export const PAGE_OPERATIONS: readonly Endpoint<PageOperationPorts>[] = [
  endpoint({
    id: 'listPages',
    method: 'get',
    path: '/pages',
    tag: 'Pages',
    summary: 'List the pages of a project',
    client: 'pages.list',
    description:
      'Dates are exclusive bounds. With an offset past the end the list is empty, and `total` still counts all matches.',
    query: ListPages,
    answers: [json(200, 'The pages.', PageList)],
    async run({ caller, query, state }, { pages }) {
      const { filter, paging, meta } = readListPages(query)
      if (!query.include_content) {
        const found = await pages.list(caller, query.project_id, filter, paging)
        return pageList(found, presentPageItem)
      }
      const found = await pages.listWithContent(caller, query.project_id, filter, paging)
      await state.pace?.(state.held.working())
      return pageList(found, presentPageItemWithContent)

      function pageList<Item>(
        found: ListedPages<Item>,
        present: (item: Item, found: ListedPages<Item>) => object,
      ): ApiAnswer {
        const { items, total, home } = found
        const filters = { project_id: prefixed('proj', home.project.id), ...meta }
        return list(
          items,
          (item) => present(item, found),
          (shown) => ({ ...listMeta(paging, shown, total), filters }),
        )
      }
    },
  }),
  endpoint({
    id: 'createPage',
    method: 'post',
    path: '/pages',
    tag: 'Pages',
    summary: 'Create a page',
    client: 'pages.create',
    description: 'A page starts as a draft. Its slug is unique within project and subroute.',
    body: {
      schema: CreatePageBody,
      required: true,
      example: {
        project_id: 'proj_k3v9q2m7x4tz8wpa',
        title: 'Opening hours',
        slug: 'opening-hours',
        subroute: 'blog',
        type: 'article',
        markdown_content: 'Open from **nine** to five.',
      },
    },
    answers: [json(201, 'The new page.', CreatedPage)],
    errors: ['conflict'],
    async run({ caller, body }, { pages, themes, addresses }) {
      const project = body['project_id']
      if (typeof project !== 'string') {
        // Without a project id there is nothing to look up: validation reports the missing field.
        assertPermitted(caller, ['write'])
        readCreatePage(body, themes, 'standard')
      }
      const created = await pages.create(caller, String(project), ({ project: { hosting } }) =>
        readCreatePage(body, themes, hosting.slugs),
      )
      return record(presentCreatedPage(created, addresses), { status: 201, version: created.page.version })
    },
  }),
  endpoint({
    id: 'getPage',
    method: 'get',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Get a page',
    client: 'pages.get',
    params,
    query: GetPage,
    answers: [
      {
        status: 200,
        description: 'The page; with `format=markdown` as Markdown under YAML front matter.',
        content: { 'application/json': Page, 'text/markdown': z.string() },
      },
    ],
    async run({ caller, query, param }, { pages, addresses }) {
      const found = await pages.get(caller, param('id'))
      const show = { sections: query.include_sections, markdown: query.include_markdown }
      const rest = { version: found.page.version, headers: { Link: linkToPublic(found, addresses) } }
      if (query.format !== 'markdown') return record(presentPage(found, show), rest)
      const text = await pages.document(found, shownContent(found.page, show), presentFrontMatter(found))
      return { ...rest, type: 'text/markdown; charset=utf-8', body: text }
    },
  }),
  endpoint({
    id: 'updatePage',
    method: 'put',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Change a page',
    client: 'pages.update',
    agents: 'confirm status',
    description: [
      'Fields that the body leaves out stay unchanged. `config` is replaced as a whole, including its `sections`.',
      'The live version does not change, unless the body has a `status`: `published` publishes the page, `draft` and `archived` take a live page down.',
      'Fields and status are one unit: when one is refused, nothing is stored.',
    ].join(' '),
    params,
    body: {
      schema: UpdatePageBody,
      required: true,
      example: { title: 'New opening hours', status: 'published' },
    },
    answers: [
      json(200, 'The updated page.', UpdatedPage),
      json(202, `${CONTINUES} The update is stored; the page is shown as it is until then.`, UpdatedPage),
    ],
    errors: ['conflict'],
    current: currentPage,
    /** The update is stored already, and answered with the page as it is until the release has ended. */
    async continued(release, { caller }, { jobs, pages }) {
      const job = await jobs.following(release)
      const { reserve: _, ...known } = caller
      const found = await pages.get({ ...known, permissions: ['read'] }, job.subject ?? '')
      return { ...accepted(job, { data: presentUpdatedPage(found) }), version: found.page.version }
    },
    async run({ caller, body, param, match }, { pages, themes }) {
      const updated = await pages.update(
        caller,
        param('id'),
        needsOf(body),
        (page, shown, { project: { hosting } }) => {
          match(page)
          return readUpdatePage(body, page, shown, themes, hosting.slugs)
        },
      )
      return record(presentUpdatedPage(updated), { version: updated.page.version })
    },
  }),
  endpoint({
    id: 'deletePage',
    method: 'delete',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Delete a page',
    client: 'pages.delete',
    description:
      'A live page is removed from the CDN first, which also requires the `publish` permission, and so does `redirect_to`.',
    params,
    query: DeletePageQuery,
    answers: [json(200, 'The record was deleted.', DeletedPage), json(202, CONTINUES, JobAnswer)],
    current: currentPage,
    continued: followed,
    async run({ caller, query, param, match }, { publishing }) {
      const { redirect_to: redirectTo = null } = query
      const { page, lostAddresses } = await publishing.remove(caller, param('id'), (stored) => {
        match(stored)
        return { redirectTo }
      })
      return record({ id: prefixed('page', page.id), deleted: true, lost_addresses: lostAddresses })
    },
  }),
  endpoint({
    id: 'publishPage',
    method: 'post',
    path: '/pages/{id}/publish',
    tag: 'Publishing',
    summary: 'Publish a page',
    client: 'pages.publish',
    permission: 'publish',
    description: [
      'Answers once the page is on the CDN. A release contains the page, the settings and the theme as they are at that moment;',
      'later edits are not live until the page is published again. When publishing fails, the previous version stays live.',
      'When uploading takes longer than a request may wait, because of large files or a slow store, the answer is 202 with a job, and the publish goes on.',
      'With `publish_at` a job publishes the page at that time; any other publish, an unpublish, archiving or deletion cancels it.',
      'With `dry_run=true` nothing is written: the answer lists the objects that would be uploaded, kept and deleted.',
    ].join(' '),
    params,
    query: PublishQuery,
    body: { schema: PublishPage.meta({ id: 'PublishPage' }), required: false },
    answers: [
      json(
        200,
        'The page is live; or the plan of a dry run; or, with a `publish_at` of null, the schedule was cancelled.',
        z.union([PublishedPage, UnscheduledPage]),
      ),
      json(202, `The publish is scheduled. Or: ${CONTINUES}`, JobAnswer),
    ],
    errors: ['conflict'],
    current: currentPage,
    continued: followed,
    async run(request, ports) {
      const { caller, query, body, param, match } = request
      if (isSchedule(body) && !query.dry_run) return schedulePage(request, ports)
      const readOptions = (page: { readonly version: number }) => {
        match(page)
        return readPublish(body)
      }
      if (query.dry_run)
        return record(presentDryRun(await ports.publishing.plan(caller, param('id'), readOptions)))
      const published = await ports.publishing.publish(caller, param('id'), readOptions)
      return record(presentPublished(published, query.timings), { version: published.page.version })
    },
  }),
  endpoint({
    id: 'listReleases',
    method: 'get',
    path: '/pages/{id}/releases',
    tag: 'Publishing',
    summary: 'List the releases of a page',
    client: 'pages.releases',
    description: [
      'Newest first. A publish that changed nothing or was refused is not listed.',
      'Retained are the newest 50 releases of a page, those of the last 90 days, and the live one.',
    ].join(' '),
    params,
    query: ListReleases,
    answers: [json(200, 'The releases.', ReleaseList)],
    async run({ caller, query, param }, { publishing }) {
      const { items, total } = await publishing.history(caller, param('id'), query)
      return list(items, presentRelease, (shown) => listMeta(query, shown, total))
    },
  }),
  endpoint({
    id: 'rollBackPage',
    method: 'post',
    path: '/pages/{id}/rollback',
    tag: 'Publishing',
    summary: 'Put an earlier release of a page live again',
    client: 'pages.rollBack',
    permission: 'publish',
    agents: 'confirm',
    description: [
      'Restores the same bytes at the same path, even if settings or theme have changed since.',
      'The stored page does not change.',
    ].join(' '),
    params,
    body: { schema: RollBackPage.meta({ id: 'RollBackPage' }), required: true },
    answers: [json(200, 'The page is live.', RolledBackPage), json(202, CONTINUES, JobAnswer)],
    errors: ['conflict'],
    current: currentPage,
    continued: followed,
    async run({ caller, body, param, match }, { publishing }) {
      const published = await publishing.rollBack(caller, param('id'), (page) => {
        match(page)
        return readRollBack(body)
      })
      return record(presentPublished(published), { version: published.page.version })
    },
  }),
  endpoint({
    id: 'unpublishPage',
    method: 'post',
    path: '/pages/{id}/unpublish',
    tag: 'Publishing',
    summary: 'Unpublish a page',
    client: 'pages.unpublish',
    permission: 'publish',
    agents: 'confirm',
    description: 'Removes the page from the CDN; it becomes a draft and keeps its content.',
    params,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'The page is a draft again.', UnpublishedPage), json(202, CONTINUES, JobAnswer)],
    errors: ['not_published'],
    current: currentPage,
    continued: followed,
    async run({ caller, body, param, match }, { publishing }) {
      const { page, unpublishedAt } = await publishing.unpublish(caller, param('id'), (stored) => {
        match(stored)
        readNoFields(body)
      })
      return record(presentUnpublished(page, unpublishedAt), { version: page.version })
    },
  }),
  endpoint({
    id: 'publishPageNamedByBody',
    method: 'post',
    path: '/pages/publish',
    tag: 'Publishing',
    summary: 'Publish the page named in the body',
    client: null,
    permission: 'publish',
    agents: 'confirm',
    description: NAMED_BY_BODY,
    body: { schema: requestBody(PageRef, { id: 'PageRef', either: ['pageId', 'page_id'] }), required: true },
    answers: [json(200, 'The page is live.', PublishedPageRef), json(202, CONTINUES, PendingPageRef)],
    errors: ['not_found', 'project_scope_violation', 'conflict', 'missing_required_field'],
    current: pageNamedByBody,
    continued: pending,
    async run({ caller, body, match }, { publishing }) {
      const { page, outcome } = await publishing.publish(caller, readPageRef(caller, body), (stored) => {
        match(stored)
        return DEFAULT_OPTIONS
      })
      return record(
        { page_id: prefixed('page', page.id), status: 'published', published_at: outcome.publishedAt },
        { version: page.version },
      )
    },
  }),
  endpoint({
    id: 'unpublishPageNamedByBody',
    method: 'post',
    path: '/pages/unpublish',
    tag: 'Publishing',
    summary: 'Unpublish the page named in the body',
    client: null,
    permission: 'publish',
    agents: 'confirm',
    description: NAMED_BY_BODY,
    body: { schema: requestBody(PageRef, { id: 'PageRef', either: ['pageId', 'page_id'] }), required: true },
    answers: [
      json(200, 'The page is a draft again.', UnpublishedPageRef),
      json(202, CONTINUES, PendingPageRef),
    ],
    errors: ['not_found', 'project_scope_violation', 'not_published', 'missing_required_field'],
    current: pageNamedByBody,
    continued: pending,
    async run({ caller, body, match }, { publishing }) {
      const { page } = await publishing.unpublish(caller, readPageRef(caller, body), match)
      return record({ page_id: prefixed('page', page.id), status: 'unpublished' }, { version: page.version })
    },
  }),
]

function currentPage({ caller, param }: ApiRequest, { pages }: PageOperationPorts): Promise<Representation> {
  return pageAsRead(pages, caller, param('id'))
}

function pageNamedByBody(
  { caller, body }: ApiRequest,
  { pages }: PageOperationPorts,
): Promise<Representation> {
  return pageAsRead(pages, caller, readPageRef(caller, body))
}

/** Reads a page as `GET /pages/:id` answers it, for any caller who may change it. */
async function pageAsRead(pages: PageService, caller: Caller, ref: string): Promise<Representation> {
  const found = await pages.get({ ...caller, permissions: ['read'] }, ref)
  return { version: found.page.version, body: { data: presentPage(found) } }
}

async function followed(
  release: ReleaseContinues,
  _: ApiRequest,
  { jobs }: PageOperationPorts,
): Promise<ApiAnswer> {
  return jobAnswer(await jobs.following(release))
}

async function pending(
  release: ReleaseContinues,
  _: ApiRequest,
  { jobs }: PageOperationPorts,
): Promise<ApiAnswer> {
  const job = await jobs.following(release)
  return accepted(job, { data: presentPending(job) })
}

function presentPending({ id, subject }: Job) {
  return { page_id: prefixed('page', subject as PageId), status: 'pending', job_id: prefixed('job', id) }
}

/** Stores or cancels the schedule that the body states. */
async function schedulePage(
  { caller, body, param, match }: ApiRequest,
  { scheduling, now }: PageOperationPorts,
): Promise<ApiAnswer> {
  const { page, job } = await scheduling.schedule(caller, param('id'), (stored) => {
    match(stored)
    return readSchedule(body, now())
  })
  return job === null ? record(presentUnscheduled(page)) : jobAnswer(job)
}

/** Rights that an update needs: `status` needs `publish`, every other field needs `write`. */
function needsOf(body: JsonObject): readonly Right[] {
  const names = Object.keys(body)
  const writes = names.length === 0 || names.some((name) => name !== 'status')
  return [
    ...(writes ? (['write'] as const) : []),
    ...(names.includes('status') ? (['publish'] as const) : []),
  ]
}
