import type { JobService } from '../../services/jobs/jobs.ts'
import type { BulkPublishingService } from '../../services/publishing/bulk-publishing.ts'
import type { SchedulingService } from '../../services/publishing/scheduling.ts'
import { idParam } from '../answer-fields.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { Job, JobList, ScheduleList } from './job-answers.ts'
import { ListJobs, ListSchedule, PublishPages, readPublishPages, STATES_OF } from './job-schemas.ts'
import { jobAnswer, presentJob, presentScheduled } from './present-job.ts'

export interface JobOperationPorts {
  readonly jobs: JobService
  readonly bulkPublishing: BulkPublishingService
  readonly scheduling: SchedulingService
}

const endpoint = endpointsWith<JobOperationPorts>()

export const JOB_OPERATIONS: readonly Endpoint<JobOperationPorts>[] = [
  endpoint({
    id: 'publishPages',
    method: 'post',
    path: '/projects/{id}/publish',
    tag: 'Publishing',
    summary: 'Publish many pages',
    client: 'projects.publish',
    permission: 'publish',
    agents: 'confirm',
    description: [
      'Starts a job that publishes the pages group by group; `Location` is the URL of the job.',
      'The selection is evaluated now. Each page is published as it is when the job reaches it, including unpublished edits.',
      'A page that cannot be published does not stop the others. A project may have 20 unfinished jobs of this kind.',
    ].join(' '),
    params: idParam('proj'),
    body: {
      schema: requestBody(PublishPages, { id: 'PublishPages' }),
      required: true,
      example: { pages: 'stale' },
    },
    answers: [json(202, 'The job is queued.', Job)],
    errors: ['conflict'],
    async run({ caller, body, param }, { bulkPublishing }) {
      return jobAnswer(await bulkPublishing.publish(caller, param('id'), () => readPublishPages(body)))
    },
  }),
  endpoint({
    id: 'listSchedule',
    method: 'get',
    path: '/projects/{id}/schedule',
    tag: 'Publishing',
    summary: 'List scheduled publishes',
    client: 'projects.schedule',
    description: 'The scheduled publishes of a project, soonest first.',
    params: idParam('proj'),
    query: ListSchedule,
    answers: [json(200, 'The scheduled publishes.', ScheduleList)],
    async run({ caller, query, param, walk }, { scheduling }) {
      const slice = sliceOf(walk, query)
      return walked(walk, slice, await scheduling.list(caller, param('id'), slice), presentScheduled)
    },
  }),
  endpoint({
    id: 'listJobs',
    method: 'get',
    path: '/projects/{id}/jobs',
    tag: 'Publishing',
    summary: 'List jobs',
    client: 'jobs.list',
    description:
      'The bulk publishes and scheduled publishes of a project, newest first. An answer with many failed pages may hold fewer jobs than `limit`; `has_more` says whether more follow.',
    params: idParam('proj'),
    query: ListJobs,
    answers: [json(200, 'The jobs.', JobList)],
    async run({ caller, query, param, walk }, { jobs }) {
      const { status } = query
      const slice = sliceOf(walk, query)
      const states = status === undefined ? null : STATES_OF[status]
      return walked(walk, slice, await jobs.list(caller, param('id'), states, slice), presentJob)
    },
  }),
  endpoint({
    id: 'getJob',
    method: 'get',
    path: '/jobs/{id}',
    tag: 'Publishing',
    summary: 'Get a job',
    client: 'jobs.get',
    description:
      'The progress of a bulk publish or of a scheduled publish. Jobs are retained for 30 days after their end.',
    params: idParam('job'),
    answers: [json(200, 'The job.', Job)],
    errors: ['project_scope_violation'],
    async run({ caller, param }, { jobs }) {
      return record(presentJob(await jobs.get(caller, param('id'))))
    },
  }),
  endpoint({
    id: 'cancelJob',
    method: 'delete',
    path: '/jobs/{id}',
    tag: 'Publishing',
    summary: 'Cancel a job',
    client: 'jobs.cancel',
    permission: 'publish',
    description:
      'Cancels the pages that have no uploaded file yet, and lists them in `failed`. The others go live. `conflict` when there is nothing left to cancel. Needs the permission `publish`.',
    params: idParam('job'),
    answers: [json(200, 'The job as it is now.', Job)],
    errors: ['project_scope_violation', 'conflict'],
    async run({ caller, param }, { jobs }) {
      return record(presentJob(await jobs.cancel(caller, param('id'))))
    },
  }),
]
