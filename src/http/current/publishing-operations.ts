import { z } from 'zod'
import { prefixed } from '../../domain/ids.ts'
import type { JobService } from '../../services/jobs/jobs.ts'
import type { PageService } from '../../services/pages/pages.ts'
import { DEFAULT_OPTIONS, type PublishingService } from '../../services/publishing/publishing.ts'
import type { SchedulingService } from '../../services/publishing/scheduling.ts'
import { idParam } from '../answer-fields.ts'
import {
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
  CONTINUES,
  type Endpoint,
  endpointsWith,
  record,
} from '../endpoint.ts'
import { PageRef, readPageRef } from '../legacy-bodies.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { Job as JobAnswer } from './job-answers.ts'
import {
  PendingPageRef,
  PublishedPage,
  PublishedPageRef,
  ReleaseList,
  RolledBackPage,
  UnpublishedPage,
  UnpublishedPageRef,
  UnscheduledPage,
} from './page-answers.ts'
import { currentPage, pageNamedByBody, pending } from './page-in-request.ts'
import {
  presentDryRun,
  presentPublished,
  presentRelease,
  presentUnpublished,
  presentUnscheduled,
} from './present.ts'
import { continueAsJob, jobAnswer } from './present-job.ts'

export interface PublishingOperationPorts {
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly scheduling: SchedulingService
  readonly jobs: JobService
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

const endpoint = endpointsWith<PublishingOperationPorts>()

const params = idParam('page')

const NAMED_BY_BODY =
  'Like the operation with the id in its path, for clients of `/v1` that drop only the prefix.'

export const PUBLISHING_OPERATIONS: readonly Endpoint<PublishingOperationPorts>[] = [
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
    continued: continueAsJob,
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
    async run({ caller, query, param, walk }, { publishing }) {
      const slice = sliceOf(walk, query)
      return walked(walk, slice, await publishing.history(caller, param('id'), slice), presentRelease)
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
    continued: continueAsJob,
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
    continued: continueAsJob,
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

/** Stores or cancels the schedule that the body states. */
async function schedulePage(
  { caller, body, param, match }: ApiRequest,
  { scheduling, now }: PublishingOperationPorts,
): Promise<ApiAnswer> {
  const { page, job } = await scheduling.schedule(caller, param('id'), (stored) => {
    match(stored)
    return readSchedule(body, now())
  })
  return job === null ? record(presentUnscheduled(page)) : jobAnswer(job)
}
