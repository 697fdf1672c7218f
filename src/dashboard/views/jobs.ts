import type { Context } from 'koa'
import { prefixed } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import { param } from '../../http/api.ts'
import { ReleaseContinues } from '../../services/publishing/await-release.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { assertOfProject } from './page-editor.ts'
import { pagePath } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

/** Seconds between two looks at a job that runs. */
const RELOAD_SECONDS = 2
/** Failures and warnings that the page lists. */
const LISTED = 50

const JOB = '/projects/:project/jobs/:job'

/** The progress of a bulk publish: the page loads itself again until the job ends. */
export function jobViews(router: DashboardRouter, { frame, jobs, projects }: ViewPorts): void {
  const { words } = frame

  router.get(JOB, (ctx) => showJob(ctx, null))

  router.post(`${JOB}/cancel`, async (ctx) => {
    await ownJob(ctx)
    await attempt(
      async () => {
        const job = await jobs.cancel(ctx.state.caller, param(ctx.params, 'job'))
        frame.goTo(ctx, jobPath(job), 'jobCancelled')
      },
      (error) => showJob(ctx, problemOf(error, words)),
    )
  })

  async function ownJob(ctx: DashboardContext): Promise<Job> {
    const job = await jobs.get(ctx.state.caller, param(ctx.params, 'job'))
    assertOfProject(projectRef(ctx), { id: job.projectId })
    return job
  }

  async function showJob(ctx: DashboardContext, problem: Problem | null): Promise<void> {
    const job = await ownJob(ctx)
    const { project } = await projects.get(ctx.state.caller, job.projectId)
    const isRunning = job.finishedAt === null
    frame.show(ctx, 'job', {
      title: words.job.title,
      ...projectFrame(project, 'pages', words),
      problem,
      refreshAfter: isRunning && problem === null ? RELOAD_SECONDS : null,
      path: jobPath(job),
      pagesPath: projectPath(project, '/pages'),
      job,
      isRunning,
      failed: job.failed.slice(0, LISTED).map(({ pageId, message }) => ({
        href: pagePath(project, pageId),
        ref: prefixed('page', pageId),
        message,
      })),
      warnings: job.warnings.told.slice(0, LISTED).map(({ pageId, message }) => ({
        href: pagePath(project, pageId),
        ref: prefixed('page', pageId),
        message,
      })),
    })
  }
}

/** Leads to the job of a release that goes on longer than its request may wait. */
export function showContinued({ frame }: Pick<ViewPorts, 'frame'>) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof ReleaseContinues)) throw error
      frame.goTo(ctx, jobPath({ id: error.jobId, projectId: error.projectId }), 'releaseContinues')
    }
  }
}

function jobPath({ id, projectId }: Pick<Job, 'id' | 'projectId'>): string {
  return projectPath({ id: projectId }, `/jobs/${prefixed('job', id)}`)
}
