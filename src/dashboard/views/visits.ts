import type { ServiceError } from '../../domain/errors.ts'
import { siteOrigin } from '../../domain/project.ts'
import { urlPath } from '../../domain/route.ts'
import { queryOf } from '../../http/api.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'
import { barChart } from './visit-chart.ts'

const VISITS = '/projects/:project/visits'
/** Lengths of a report in days; the second is the default. */
const PERIODS = [7, 30, 90] as const
const DAY_MS = 24 * 60 * 60 * 1000

/** The visits of a project's pages, and the setting for counting them. */
export function visitViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, visits, projects, projectReader, addresses, now } = ports
  const { words } = frame

  router.get(VISITS, (ctx) => showVisits(ctx, null))

  router.post(VISITS, (ctx) =>
    attempt(
      async () => {
        const { project } = await projects.update(ctx.state.caller, projectRef(ctx), {
          changesOnlyStatus: () => false,
          read: ({ project: { hosting } }) => ({
            fields: {},
            settings: projectReader.readSettings({ visits: ctx.state.form.get('visits') }, [], hosting.slugs),
          }),
        })
        frame.goTo(ctx, projectPath(project, '/visits'), 'settingsSaved')
      },
      (error) => showVisits(ctx, error),
    ),
  )

  async function showVisits(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller } = ctx.state
    const ref = projectRef(ctx)
    const asked = Number(queryOf(ctx).get('days'))
    const period = PERIODS.find((days) => days === asked) ?? PERIODS[1]
    const from = new Date(Date.parse(now()) - (period - 1) * DAY_MS).toISOString().slice(0, 10)
    const [{ project }, report] = await Promise.all([
      projects.get(caller, ref),
      visits.report(caller, ref, { from }),
    ])
    const path = projectPath(project, '/visits')
    const site = siteOrigin(project, addresses)
    frame.show(ctx, 'visits', {
      title: words.visits.title,
      ...projectFrame(project, 'visits', words),
      problem: error && problemOf(error, words),
      path,
      ...report,
      hasCounts: report.totals.page.people + report.totals.page.agents + report.totals.missing.people > 0,
      chart: barChart(report.days),
      pages: report.names.page.map((page) => ({
        ...page,
        href: page.name === '' ? null : `${site}${urlPath(page.name)}`,
      })),
      periods: PERIODS.map((days) => ({
        href: `${path}?days=${days}`,
        name: words.visits.period(days),
        isCurrent: days === period,
      })),
    })
  }
}
