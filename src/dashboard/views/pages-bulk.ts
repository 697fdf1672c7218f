import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { prefixed } from '../../domain/ids.ts'
import type { PageStatus } from '../../domain/page.ts'
import { queryOf } from '../../http/api.ts'
import { ReleaseContinues } from '../../services/publishing/await-release.ts'
import { LIST_SIZE } from '../frame/paging.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { assertOfProject } from './page-editor.ts'
import { createPageList, pageFilter } from './pages.ts'
import { projectRef } from './projects.ts'

/** No page is begun after this time: the last one needs some until the request has to be answered. */
const BUDGET_MS = 10_000
/** Maximum number of listed rejections. */
const LISTED = 50

const ACTS = ['unpublish', 'archive', 'delete'] as const
type Act = (typeof ACTS)[number]

/** The status of a page after an act; null if the page is deleted. Pages with this status are skipped. */
const STATUS_AFTER: Readonly<Record<Act, PageStatus | null>> = {
  unpublish: 'draft',
  archive: 'archived',
  delete: null,
}

interface Done {
  readonly changed: number
  readonly refused: Problem['list']
}

/** Acts on chosen pages of the list, one page after the other. A publish of them is a job. */
export function pageBulkViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, publishing, now } = ports
  const { words } = frame
  const { showList, choiceOf } = createPageList(ports)

  router.post('/projects/:project/pages/act', async (ctx) => {
    await attempt(
      async () => {
        const choice = await choiceOf(ctx)
        const act = readAct(ctx)
        const end = Date.parse(now()) + BUDGET_MS
        if ('matching' in choice) await actOnAll(ctx, act, end)
        else await actOnChosen(ctx, choice, act, end)
      },
      (error) => showList(ctx, problemOf(error, words)),
    )
  })

  /** @throws {ServiceError} `validation_error` for an unknown act, or pages whose end is not confirmed. */
  function readAct({ state: { form } }: DashboardContext): Act {
    const act = ACTS.find((one) => one === form.get('act'))
    if (act === undefined) throw new ServiceError('invalid_request', 'The form names no act.')
    if (act === 'delete' && form.get('confirm') !== 'yes')
      throw fieldFailure('validation_error', [
        { path: words.pages.confirm, message: words.pages.notConfirmed },
      ])
    return act
  }

  async function actOnChosen(ctx: DashboardContext, chosen: readonly string[], act: Act, end: number) {
    if (chosen.length > LIST_SIZE)
      throw fieldFailure('validation_error', [
        { path: 'page', message: `must have at most ${LIST_SIZE} entries.` },
      ])
    const refused: Problem['list'][number][] = []
    for (const ref of chosen) {
      const { page, home } = await pages.get(ctx.state.caller, ref)
      assertOfProject(projectRef(ctx), home.project)
      const refusal = Date.parse(now()) > end ? words.pages.notBegun : await refusalOf(ctx, ref, act)
      if (refusal !== null) refused.push({ id: null, label: page.title, message: refusal })
    }
    await answer(ctx, { changed: chosen.length - refused.length, refused })
  }

  /**
   * Changes the matching pages, oldest first, as far as the time allows. The answer offers to continue with the others.
   * Pages that still match after the act are skipped in the next request.
   */
  async function actOnAll(ctx: DashboardContext, act: Act, end: number): Promise<void> {
    const { caller, form } = ctx.state
    const filter = pageFilter(queryOf(ctx))
    const after = STATUS_AFTER[act]
    const staysListed = after !== null && (filter.status ?? after) === after
    const refused: Problem['list'][number][] = []
    let changed = 0
    let from = /^\d{1,9}$/.test(form.get('from')) ? Number(form.get('from')) : 0
    for (;;) {
      const paging = { sort: 'created_at', order: 'asc', limit: LIST_SIZE, offset: from } as const
      const { items } = await pages.list(caller, projectRef(ctx), filter, paging)
      if (items.length === 0) return answer(ctx, { changed, refused })
      for (const { id, title, status } of items) {
        if (Date.parse(now()) > end) return answer(ctx, { changed, refused }, { act, from })
        const isIdle = act === 'unpublish' ? status !== 'published' : status === after
        const refusal = isIdle ? null : await refusalOf(ctx, prefixed('page', id), act)
        if (refusal !== null) refused.push({ id: null, label: title, message: refusal })
        else if (!isIdle) changed++
        if (isIdle || refusal !== null || staysListed) from++
      }
    }
  }

  async function answer(
    ctx: DashboardContext,
    { changed, refused }: Done,
    continuation: { readonly act: Act; readonly from: number } | null = null,
  ): Promise<void> {
    if (refused.length > 0 || continuation !== null) {
      const title =
        refused.length > 0 ? words.pages.someDone(changed, refused.length) : words.pages.partDone(changed)
      const list = refused.slice(0, LISTED)
      return showList(ctx, { status: 409, title, message: null, list }, continuation)
    }
    const query = queryOf(ctx)
    const list = `/dashboard/projects/${encodeURIComponent(projectRef(ctx))}/pages`
    frame.goTo(ctx, query.size === 0 ? list : `${list}?${query}`, 'pagesChanged')
  }

  /** @returns null when the page was changed. @throws {ServiceError} if every page would be rejected. */
  async function refusalOf(ctx: DashboardContext, ref: string, act: Act): Promise<string | null> {
    let refusal: string | null = null
    await attempt(
      () => change(ctx, ref, act),
      (error) => {
        // The same for every page: the role has no such right, or the project takes no changes.
        if (error.name === 'forbidden') throw error
        refusal = problemOf(error, words).message ?? error.message
      },
    )
    return refusal
  }

  async function change({ state: { caller } }: DashboardContext, ref: string, act: Act): Promise<void> {
    try {
      if (act === 'unpublish') await publishing.unpublish(caller, ref)
      else if (act === 'delete') await publishing.remove(caller, ref)
      else await pages.update(caller, ref, ['publish'], () => ({ edit: {}, status: 'archived' }))
    } catch (error) {
      // It is accepted, and its files are removed in the background.
      if (!(error instanceof ReleaseContinues)) throw error
    }
  }
}
