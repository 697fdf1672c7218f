import { idParam } from '../answer-fields.ts'
import { asSent } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { Job, ScheduleList } from './job-answers.ts'
import { ListSchedule, PublishPages } from './job-schemas.ts'

/** The operations on what takes longer than a request, as `job-routes.ts` carries them out. */
export const JOB_OPERATIONS: readonly Operation[] = [
  {
    id: 'publishPages',
    method: 'post',
    path: '/projects/{id}/publish',
    tag: 'Publishing',
    summary: 'Publish many pages',
    description: [
      'Answers at once with a job that publishes the pages group by group; `Location` is where to follow it.',
      'Which pages are meant is decided now. Each is published as it is when its turn comes, unpublished edits included.',
      'A page that cannot be published stops no other. A project may have 20 such jobs at a time.',
    ].join(' '),
    params: idParam('proj'),
    body: {
      schema: asSent(PublishPages, { id: 'PublishPages' }),
      required: true,
      example: { pages: 'stale' },
    },
    answers: [json(202, 'It will be done.', Job)],
    errors: ['conflict'],
  },
  {
    id: 'listSchedule',
    method: 'get',
    path: '/projects/{id}/schedule',
    tag: 'Publishing',
    summary: 'List what is scheduled',
    description: 'The pages of a project that are to be published at a time of their own, soonest first.',
    params: idParam('proj'),
    query: ListSchedule,
    answers: [json(200, 'What is scheduled.', ScheduleList)],
  },
  {
    id: 'getJob',
    method: 'get',
    path: '/jobs/{id}',
    tag: 'Publishing',
    summary: 'Get a job',
    description:
      'How far a publish of many pages, or a scheduled one, has come. Kept for 30 days after its end.',
    params: idParam('job'),
    answers: [json(200, 'The job.', Job)],
    errors: ['project_scope_violation'],
  },
]
