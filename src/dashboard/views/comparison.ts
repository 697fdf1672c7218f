import type { Caller } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import type { Page, TypeFields } from '../../domain/page.ts'
import { putsLive } from '../../domain/release.ts'
import { queryOf } from '../../http/api.ts'
import type { PageDetails } from '../../services/pages/pages.ts'
import type { Control } from '../frame/controls.ts'
import { type TextDiff, textDiff } from '../frame/text-diff.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pageControls } from './page-form.ts'
import { pagePath } from './page-rows.ts'

const COMPARE = '/projects/:project/pages/:page/compare'
/** Maximum number of releases offered for a comparison. */
const OFFERED = 50

/** A version of a page. */
interface Version {
  readonly page: Page
  readonly fields: TypeFields
}

export interface FieldChange {
  readonly label: string
  readonly diff: TextDiff
}

/** Two versions of a page, line by line: a release with the text that is edited, or with another release. */
export function comparisonViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, publishing } = ports
  const { words } = frame
  const { liveVersion, releaseVersion } = createComparison(ports)

  router.get(COMPARE, ofProject(ports), async (ctx) => {
    const { caller } = ctx.state
    const query = queryOf(ctx)
    const found = await pages.get(caller, ref(ctx))
    const { items } = await publishing.history(caller, ref(ctx), { limit: OFFERED, offset: 0 })
    const from = query.get('from')
    const to = query.get('to')
    const live = items.filter((release) => putsLive(release) && release.state === 'live')
    const current = live.find(({ isCurrent }) => isCurrent)
    const before = await (from ? releaseVersion(caller, ctx, from) : liveVersion(caller, found))
    const after = to ? await releaseVersion(caller, ctx, to) : found
    const path = pagePath(found.home.project, found.page.id)
    const sourceOf = (release: string | null) =>
      `${path}/document${release === null ? '' : `?${new URLSearchParams({ release })}`}`
    const sides = [
      {
        label: words.plan.from,
        source: sourceOf(from || (current === undefined ? null : prefixed('rel', current.id))),
      },
      { label: words.plan.to, source: sourceOf(to || null) },
    ]
    frame.show(ctx, 'comparison', {
      ...pageFrame(found, 'releases', words),
      path,
      sides,
      from: from ?? null,
      to: to ?? null,
      isNever: before === null,
      releases: live.map((release) => ({ ...release, ref: prefixed('rel', release.id) })),
      changes: before === null ? [] : changedFields(pageControls(before, words), pageControls(after, words)),
    })
  })
}

export function createComparison({ publishing }: Pick<ViewPorts, 'publishing'>) {
  return { liveVersion, releaseVersion }

  /** The live version of the page; null when it is not live. */
  async function liveVersion(caller: Caller, { page }: PageDetails): Promise<Version | null> {
    const { items } = await publishing.history(caller, page.id, { limit: OFFERED, offset: 0 })
    const current = items.find(({ isCurrent }) => isCurrent)
    return current === undefined ? null : publishing.released(caller, page.id, current.id)
  }

  function releaseVersion(caller: Caller, ctx: DashboardContext, release: string): Promise<Version> {
    return publishing.released(caller, ref(ctx), release)
  }
}

/** The fields whose texts differ, in the order of the form. */
export function changedFields(before: readonly Control[], after: readonly Control[]): readonly FieldChange[] {
  const names = new Set([...after, ...before].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const [was, is] = [before, after].map((controls) => controls.find((control) => control.name === name))
    const [old, now] = [was?.value ?? '', is?.value ?? '']
    return old === now ? [] : [{ label: (is ?? was)?.label ?? name, diff: textDiff(old, now) }]
  })
}
