import { z } from 'zod'
import { idParam } from '../answer-fields.ts'
import { PageRef } from '../legacy-bodies.ts'
import { asSent } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { Job } from './job-answers.ts'
import {
  CreatedPage,
  DeletedPage,
  Page,
  PageList,
  PublishedPage,
  PublishedPageRef,
  ReleaseList,
  RolledBackPage,
  UnpublishedPage,
  UnpublishedPageRef,
  UnscheduledPage,
  UpdatedPage,
} from './page-answers.ts'
import { CreatePage, GetPage, ListPages, READ_ONLY, UpdatePage } from './page-schemas.ts'
import { ListReleases, Nothing, PublishPage, PublishQuery, RollBackPage } from './publish-schemas.ts'

const params = idParam('page')

const CreatePageBody = asSent(CreatePage, {
  id: 'CreatePage',
  either: ['title', 'page_name'],
  ignored: READ_ONLY.filter((field) => field !== 'project_id'),
})

const UpdatePageBody = asSent(UpdatePage, {
  id: 'UpdatePage',
  either: ['title', 'page_name'],
  ignored: READ_ONLY,
})

const NAMED_BY_BODY =
  'Like the operation with the id in its path, for clients of `/v1` that only drop the prefix.'

/** The operations on pages, as `page-routes.ts` and `unprefixed-routes.ts` carry them out. */
export const PAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'listPages',
    method: 'get',
    path: '/pages',
    tag: 'Pages',
    summary: 'List the pages of a project',
    description: 'Dates are exclusive bounds. A list past its end is empty and tells the true total.',
    query: ListPages,
    answers: [json(200, 'The pages asked for.', PageList)],
  },
  {
    id: 'createPage',
    method: 'post',
    path: '/pages',
    tag: 'Pages',
    summary: 'Create a page',
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
  },
  {
    id: 'getPage',
    method: 'get',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Get a page',
    params,
    query: GetPage,
    answers: [
      {
        status: 200,
        description: 'The page; with `format=markdown` as Markdown under YAML front matter.',
        content: { 'application/json': Page, 'text/markdown': z.string() },
      },
    ],
  },
  {
    id: 'updatePage',
    method: 'put',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Change a page',
    description: [
      'What is left out stays. `config` is replaced whole, its `sections` with it.',
      'What is live stays as it is, unless `status` is given: `published` publishes, `draft` and `archived` take a live page down.',
      'Fields and status are one unit: when one is refused, nothing is kept.',
    ].join(' '),
    params,
    body: {
      schema: UpdatePageBody,
      required: true,
      example: { title: 'New opening hours', status: 'published' },
    },
    answers: [json(200, 'The page as it is now.', UpdatedPage)],
    errors: ['conflict'],
    guarded: true,
  },
  {
    id: 'deletePage',
    method: 'delete',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Delete a page',
    description: 'A live page is taken off the CDN first; that takes the `publish` permission too.',
    params,
    answers: [json(200, 'It is gone.', DeletedPage)],
  },
  {
    id: 'publishPage',
    method: 'post',
    path: '/pages/{id}/publish',
    tag: 'Publishing',
    summary: 'Publish a page',
    description: [
      'Answers once the page is on the CDN. A page, the settings and the theme are published as they are at that moment;',
      'nothing that is live changes until it is published again. When publishing fails, what was live stays live.',
      'With `publish_at` it is published then, by a job: any other publish, unpublish, archiving or deletion cancels that.',
      'With `dry_run=true` nothing is written: the answer is the list of objects that would be put, kept and deleted.',
    ].join(' '),
    params,
    query: PublishQuery,
    body: { schema: PublishPage.meta({ id: 'PublishPage' }), required: false },
    answers: [
      json(
        200,
        'It is live; or, of a dry run, what would be done; or, with a `publish_at` of null, nothing is scheduled any more.',
        z.union([PublishedPage, UnscheduledPage]),
      ),
      json(202, 'It will be published then.', Job),
    ],
    errors: ['conflict'],
  },
  {
    id: 'listReleases',
    method: 'get',
    path: '/pages/{id}/releases',
    tag: 'Publishing',
    summary: 'List the releases of a page',
    description: [
      'Newest first. A publish that changed nothing, or was refused, is no release.',
      'The newest 50 of a page are kept, those of the last 90 days, and the one that is live.',
    ].join(' '),
    params,
    query: ListReleases,
    answers: [json(200, 'The releases asked for.', ReleaseList)],
  },
  {
    id: 'rollBackPage',
    method: 'post',
    path: '/pages/{id}/rollback',
    tag: 'Publishing',
    summary: 'Put an earlier release of a page live again',
    description: [
      'The very bytes that were live then, at the path they had then, whatever has become of settings and theme.',
      'What is stored of the page stays as it is.',
    ].join(' '),
    params,
    body: { schema: RollBackPage.meta({ id: 'RollBackPage' }), required: true },
    answers: [json(200, 'It is live.', RolledBackPage)],
    errors: ['conflict'],
  },
  {
    id: 'unpublishPage',
    method: 'post',
    path: '/pages/{id}/unpublish',
    tag: 'Publishing',
    summary: 'Unpublish a page',
    description: 'The page is removed from the CDN and becomes a draft; its content is kept.',
    params,
    body: { schema: Nothing, required: false },
    answers: [json(200, 'It is a draft again.', UnpublishedPage)],
    errors: ['not_published'],
  },
  {
    id: 'publishPageNamedByBody',
    method: 'post',
    path: '/pages/publish',
    tag: 'Publishing',
    summary: 'Publish the page a body names',
    description: NAMED_BY_BODY,
    body: { schema: asSent(PageRef, { id: 'PageRef', either: ['pageId', 'page_id'] }), required: true },
    answers: [json(200, 'It is live.', PublishedPageRef)],
    errors: ['not_found', 'project_scope_violation', 'conflict', 'missing_required_field'],
  },
  {
    id: 'unpublishPageNamedByBody',
    method: 'post',
    path: '/pages/unpublish',
    tag: 'Publishing',
    summary: 'Unpublish the page a body names',
    description: NAMED_BY_BODY,
    body: { schema: asSent(PageRef, { id: 'PageRef', either: ['pageId', 'page_id'] }), required: true },
    answers: [json(200, 'It is a draft again.', UnpublishedPageRef)],
    errors: ['not_found', 'project_scope_violation', 'not_published', 'missing_required_field'],
  },
]
