import { z } from 'zod'
import { prefixed } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PublicAddresses } from '../../domain/project.ts'
import type { Right } from '../../domain/roles.ts'
import { assertPermitted } from '../../services/access.ts'
import type { JobService } from '../../services/jobs/jobs.ts'
import type { PageList as ListedPages, PageService } from '../../services/pages/pages.ts'
import type { PublishingService } from '../../services/publishing/publishing.ts'
import { idParam } from '../answer-fields.ts'
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
import { DeletePageQuery } from '../bodies/publish-schemas.ts'
import { type ApiAnswer, accepted, CONTINUES, type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { changedAfter, pagingOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { Job as JobAnswer } from './job-answers.ts'
import { CreatedPage, DeletedPage, Page, PageList, UpdatedPage } from './page-answers.ts'
import { currentPage } from './page-in-request.ts'
import {
  linkToPublic,
  presentCreatedPage,
  presentFrontMatter,
  presentPage,
  presentPageItem,
  presentPageItemWithContent,
  presentUpdatedPage,
  shownContent,
} from './present.ts'
import { continueAsJob } from './present-job.ts'

export interface PageOperationPorts {
  readonly pages: PageService
  readonly publishing: PublishingService
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
    async run({ caller, query, state, walk }, { pages }) {
      const { filter: wanted, paging: first, meta } = readListPages(query)
      const filter = { ...wanted, updatedAfter: changedAfter(walk, wanted.updatedAfter) }
      const paging = pagingOf(walk, first)
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
        const filters = { project_id: prefixed('proj', found.home.project.id), ...meta }
        return walked(walk, paging, found, (item) => present(item, found), {
          hasTail: true,
          meta: { filters },
        })
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
    continued: continueAsJob,
    async run({ caller, query, param, match }, { publishing }) {
      const { redirect_to: redirectTo = null } = query
      const { page, lostAddresses } = await publishing.remove(caller, param('id'), (stored) => {
        match(stored)
        return { redirectTo }
      })
      return record({ id: prefixed('page', page.id), deleted: true, lost_addresses: lostAddresses })
    },
  }),
]

/** Rights that an update needs: `status` needs `publish`, every other field needs `write`. */
function needsOf(body: JsonObject): readonly Right[] {
  const names = Object.keys(body)
  const writes = names.length === 0 || names.some((name) => name !== 'status')
  return [
    ...(writes ? (['write'] as const) : []),
    ...(names.includes('status') ? (['publish'] as const) : []),
  ]
}
