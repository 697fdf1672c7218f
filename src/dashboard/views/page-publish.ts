import type { DryRun, PlannedObject } from '../../domain/dry-run.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { may } from '../frame/frame.ts'
import { attempt, isWithin, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { changedFields, createComparison } from './comparison.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pageControls } from './page-form.ts'
import { pagePath } from './page-rows.ts'

const PUBLISH = '/projects/:project/pages/:page/publish'

/** Files that the plan names, of each kind of change. */
const NAMED_FILES = 50

/** The plan of a publish, and the publish. */
export function pagePublishViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, publishing, reviews } = ports
  const { words } = frame
  const isOfProject = ofProject(ports)
  const { liveVersion } = createComparison(ports)

  router.get(PUBLISH, isOfProject, (ctx) => showPlan(ctx, null))

  router.post(PUBLISH, isOfProject, (ctx) =>
    attempt(
      async () => {
        const { page, outcome } = await publishing.publish(ctx.state.caller, ref(ctx))
        await reviews.end(ctx.state.caller, ref(ctx))
        const done = outcome.changed ? 'pagePublished' : 'pageUnchanged'
        frame.goTo(ctx, pagePath({ id: page.projectId }, page.id), done)
      },
      (error) => showPlan(ctx, error),
    ),
  )

  async function showPlan(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, standing = null } = ctx.state
    const found = await pages.get(caller, ref(ctx))
    let plan: DryRun | null = null
    let refusal = error
    if (error === null && may(standing, 'publish'))
      await attempt(
        async () => {
          plan = (await publishing.plan(caller, ref(ctx), () => ({ strict: false }))).plan
        },
        (refused) => {
          refusal = refused
        },
      )
    const live = await liveVersion(caller, found)
    const now = pageControls(found, words)
    const path = pagePath(found.home.project, found.page.id)
    /** Returns the place in the forms where a warning can be fixed. */
    const placeOf = (at: string) => {
      const [, section] = /^config\.sections\[(\d+)\]/.exec(at) ?? []
      if (section !== undefined)
        return { href: `${path}/sections`, name: words.plan.section(Number(section) + 1) }
      const control = now.find(({ name }) => isWithin(at, name))
      return control === undefined
        ? { href: null, name: at }
        : { href: `${path}#${control.id}`, name: control.label }
    }
    frame.show(ctx, 'page-publish', {
      ...pageFrame(found, 'edit', words),
      title: words.plan.title(found.page.title),
      problem: refusal && problemOf(refusal, words, now),
      path,
      isFirst: live === null,
      reasons: found.difference.stale,
      changes: live === null ? [] : changedFields(pageControls(live, words), now),
      plan: plan && shownPlan(plan, placeOf),
    })
  }
}

function shownPlan(
  { outcome, objects }: DryRun,
  placeOf: (at: string) => { readonly href: string | null; readonly name: string },
) {
  const groupOf = ({ action, reason }: PlannedObject) => (action === 'put' ? reason : action)
  const groups = groupBy(objects, groupOf)
  return {
    url: outcome.url,
    isChanged: outcome.changed,
    warnings: outcome.warnings.map(({ code, at, message }) => ({
      code,
      message,
      place: at === null ? null : placeOf(at),
    })),
    kept: objects.filter(({ action }) => action === 'keep').length,
    groups: (['new', 'changed', 'headers', 'delete'] as const).flatMap((kind) => {
      const files = groups.get(kind) ?? []
      if (files.length === 0) return []
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      return [{ kind, count: files.length, bytes, files: files.slice(0, NAMED_FILES) }]
    }),
  }
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
