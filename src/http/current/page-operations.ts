import { z } from 'zod'
import { idParam } from '../answer-fields.ts'
import { CreatePage, GetPage, ListPages, READ_ONLY, UpdatePage } from '../bodies/page-schemas.ts'
import {
  DeletePageQuery,
  EmptyBody,
  ListReleases,
  PublishPage,
  PublishQuery,
  RollBackPage,
} from '../bodies/publish-schemas.ts'
import { CONTINUES } from '../continued-release.ts'
import { PageRef } from '../legacy-bodies.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { Job } from './job-answers.ts'
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

/** Descriptions of the operations on pages, which `page-routes.ts` and `unprefixed-routes.ts` implement. */
export const PAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'listPages',
    method: 'get',
    path: '/pages',
    tag: 'Pages',
    summary: 'List the pages of a project',
    description:
      'Dates are exclusive bounds. With an offset past the end the list is empty, and `total` still counts all matches.',
    query: ListPages,
    answers: [json(200, 'The pages.', PageList)],
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
    guarded: true,
  },
  {
    id: 'deletePage',
    method: 'delete',
    path: '/pages/{id}',
    tag: 'Pages',
    summary: 'Delete a page',
    description:
      'A live page is removed from the CDN first, which also requires the `publish` permission, and so does `redirect_to`.',
    params,
    query: DeletePageQuery,
    answers: [json(200, 'The record was deleted.', DeletedPage), json(202, CONTINUES, Job)],
    guarded: true,
  },
  {
    id: 'publishPage',
    method: 'post',
    path: '/pages/{id}/publish',
    tag: 'Publishing',
    summary: 'Publish a page',
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
      json(202, `The publish is scheduled. Or: ${CONTINUES}`, Job),
    ],
    errors: ['conflict'],
    guarded: true,
  },
  {
    id: 'listReleases',
    method: 'get',
    path: '/pages/{id}/releases',
    tag: 'Publishing',
    summary: 'List the releases of a page',
    description: [
      'Newest first. A publish that changed nothing or was refused is not listed.',
      'Retained are the newest 50 releases of a page, those of the last 90 days, and the live one.',
    ].join(' '),
    params,
    query: ListReleases,
    answers: [json(200, 'The releases.', ReleaseList)],
  },
  {
    id: 'rollBackPage',
    method: 'post',
    path: '/pages/{id}/rollback',
    tag: 'Publishing',
    summary: 'Put an earlier release of a page live again',
    description: [
      'Restores the same bytes at the same path, even if settings or theme have changed since.',
      'The stored page does not change.',
    ].join(' '),
    params,
    body: { schema: RollBackPage.meta({ id: 'RollBackPage' }), required: true },
    answers: [json(200, 'The page is live.', RolledBackPage), json(202, CONTINUES, Job)],
    errors: ['conflict'],
    guarded: true,
  },
  {
    id: 'unpublishPage',
    method: 'post',
    path: '/pages/{id}/unpublish',
    tag: 'Publishing',
    summary: 'Unpublish a page',
    description: 'Removes the page from the CDN; it becomes a draft and keeps its content.',
    params,
    body: { schema: EmptyBody, required: false },
    answers: [json(200, 'The page is a draft again.', UnpublishedPage), json(202, CONTINUES, Job)],
    errors: ['not_published'],
    guarded: true,
  },
  {
    id: 'publishPageNamedByBody',
    method: 'post',
    path: '/pages/publish',
    tag: 'Publishing',
    summary: 'Publish the page named in the body',
    description: NAMED_BY_BODY,
    body: { schema: requestBody(PageRef, { id: 'PageRef', either: ['pageId', 'page_id'] }), required: true },
    answers: [json(200, 'The page is live.', PublishedPageRef), json(202, CONTINUES, PendingPageRef)],
    errors: ['not_found', 'project_scope_violation', 'conflict', 'missing_required_field'],
    guarded: true,
  },
  {
    id: 'unpublishPageNamedByBody',
    method: 'post',
    path: '/pages/unpublish',
    tag: 'Publishing',
    summary: 'Unpublish the page named in the body',
    description: NAMED_BY_BODY,
    body: { schema: requestBody(PageRef, { id: 'PageRef', either: ['pageId', 'page_id'] }), required: true },
    answers: [
      json(200, 'The page is a draft again.', UnpublishedPageRef),
      json(202, CONTINUES, PendingPageRef),
    ],
    errors: ['not_found', 'project_scope_violation', 'not_published', 'missing_required_field'],
    guarded: true,
  },
]
