import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { ReleaseContinues } from '../../services/publishing/await-release.ts'
import { LIST_SIZE } from '../frame/paging.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { assertOfProject } from './page-editor.ts'
import { createPageList } from './pages.ts'
import { projectRef } from './projects.ts'

/** No page is begun after this time: a request must not last longer than proxies allow. */
const BUDGET_MS = 20_000

const ACTS = ['unpublish', 'archive', 'delete'] as const

/** What becomes of pages that were chosen in the list, one after the other. A publish of them is a job. */
export function pageBulkViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, publishing, now } = ports
  const { words } = frame
  const { showList, nothingChosen } = createPageList(ports)

  router.post('/projects/:project/pages/act', async (ctx) => {
    const { form } = ctx.state
    const chosen = [...new Set(form.all('page'))]
    if (chosen.length === 0) return showList(ctx, nothingChosen())
    await attempt(
      async () => {
        const act = readAct(ctx, chosen)
        const problem = await actOnEach(ctx, chosen, act)
        if (problem !== null) return showList(ctx, problem)
        frame.goTo(ctx, `/dashboard/projects/${encodeURIComponent(projectRef(ctx))}/pages`, 'pagesChanged')
      },
      (error) => showList(ctx, problemOf(error, words)),
    )
  })

  /** @throws {ServiceError} `validation_error` for an unknown act, too many pages, or pages whose end is not confirmed. */
  function readAct({ state: { form } }: DashboardContext, chosen: readonly string[]): (typeof ACTS)[number] {
    const act = ACTS.find((one) => one === form.get('act'))
    if (act === undefined) throw new ServiceError('invalid_request', 'The form names no act.')
    if (chosen.length > LIST_SIZE)
      throw fieldFailure('validation_error', [
        { path: 'page', message: `must have at most ${LIST_SIZE} entries.` },
      ])
    if (act === 'delete' && form.get('confirm') !== 'yes')
      throw fieldFailure('validation_error', [
        { path: words.pages.confirm, message: words.pages.notConfirmed },
      ])
    return act
  }

  /** @returns null when every page was changed. */
  async function actOnEach(
    ctx: DashboardContext,
    chosen: readonly string[],
    act: (typeof ACTS)[number],
  ): Promise<Problem | null> {
    const end = Date.parse(now()) + BUDGET_MS
    const list: Problem['list'][number][] = []
    for (const ref of chosen) {
      const { page, home } = await pages.get(ctx.state.caller, ref)
      assertOfProject(projectRef(ctx), home.project)
      const refused = (message: string) => list.push({ id: null, label: page.title, message })
      if (Date.parse(now()) > end) refused(words.pages.notBegun)
      else
        await attempt(
          () => change(ctx, ref, act),
          (error) => {
            // The same for every page: the role has no such right, or the project takes no changes.
            if (error.name === 'forbidden') throw error
            refused(problemOf(error, words).message ?? error.message)
          },
        )
    }
    if (list.length === 0) return null
    return {
      status: 409,
      title: words.pages.someDone(chosen.length - list.length, list.length),
      message: null,
      list,
    }
  }

  async function change({ state: { caller } }: DashboardContext, ref: string, act: (typeof ACTS)[number]) {
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
