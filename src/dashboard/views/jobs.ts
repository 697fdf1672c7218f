import type { Context } from 'koa'
import { type PageId, prefixed } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import { param } from '../../http/api.ts'
import { ReleaseContinues } from '../../services/publishing/await-release.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { assertOfProject } from './page-editor.ts'
import { pagePath } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

/** Seconds between two looks at a job that runs, in a browser without scripts. */
const RELOAD_SECONDS = 3
/** Failures and warnings that the page lists. */
const LISTED = 50

const JOB = '/projects/:project/jobs/:job'

/** The progress of a bulk publish, which a script asks for again and again until the job ends. */
export function jobViews(router: DashboardRouter, { frame, jobs, projects, pages }: ViewPorts): void {
  const { words } = frame

  router.get(JOB, (ctx) => showJob(ctx, null))

  router.get(`${JOB}/progress`, async (ctx) => {
    frame.showPart(ctx, 'partials/job-progress', await progressOf(ctx))
  })

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
    const progress = await progressOf(ctx)
    frame.show(ctx, 'job', {
      title: words.job.title,
      ...projectFrame(progress.project, 'pages', words),
      ...progress,
      problem,
      script: progress.isRunning ? 'job' : null,
      refreshAfter: progress.isRunning && problem === null ? RELOAD_SECONDS : null,
    })
  }

  async function progressOf(ctx: DashboardContext) {
    const { caller } = ctx.state
    const job = await ownJob(ctx)
    const [failed, warned] = [job.failed.slice(0, LISTED), job.warnings.told.slice(0, LISTED)]
    const [{ project }, titles] = await Promise.all([
      projects.get(caller, job.projectId),
      pages.titles(
        caller,
        job.projectId,
        [...failed, ...warned].map(({ pageId }) => pageId),
      ),
    ])
    const row = ({ pageId, message }: { readonly pageId: PageId; readonly message: string }) => ({
      href: pagePath(project, pageId),
      title: titles.get(pageId) ?? prefixed('page', pageId),
      message,
    })
    return {
      project,
      path: jobPath(job),
      pagesPath: projectPath(project, '/pages'),
      job,
      isRunning: job.finishedAt === null,
      failed: failed.map(row),
      warnings: warned.map(row),
    }
  }
}

/** Redirects to the job of a release that continues after its request. */
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
