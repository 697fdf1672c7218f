import { fieldFailure } from '../../domain/field-errors.ts'
import { MAX_NOTE_LENGTH } from '../../domain/review.ts'
import { attempt } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject } from './page-edit.ts'
import { createPageEditor, ref } from './page-editor.ts'
import { pagePath } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

const PAGE = '/projects/:project/pages/:page'
/** Seconds that a link to a preview lives. */
const LINK_SECONDS = 7 * 24 * 60 * 60

/** Proposals: created and withdrawn by authors, returned by editors. A publish ends them. Links to previews, too. */
export function reviewViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, reviews, projects, previews, members, pages } = ports
  const { words } = frame
  const editor = createPageEditor(ports)
  const isOfProject = ofProject(ports)

  router.get('/projects/:project/review', async (ctx) => {
    const { caller } = ctx.state
    const [{ project }, proposed, people] = await Promise.all([
      projects.get(caller, projectRef(ctx)),
      reviews.proposed(caller, projectRef(ctx)),
      members.list(caller, projectRef(ctx)),
    ])
    const emails = new Map(people.map(({ userId, email }) => [userId, email]))
    frame.show(ctx, 'review', {
      title: words.review.title,
      ...projectFrame(project, 'pages', words),
      path: projectPath(project, '/pages'),
      pages: proposed.map(({ pageId, title, proposedBy, proposedAt, note }) => ({
        href: pagePath(project, pageId),
        title,
        who: emails.get(proposedBy) ?? words.review.formerMember,
        proposedAt,
        note,
      })),
    })
  })

  router.post(`${PAGE}/propose`, isOfProject, (ctx) =>
    editor.act(ctx, 'pageProposed', () =>
      reviews.propose(ctx.state.caller, ref(ctx), () => readNote(ctx, false)),
    ),
  )

  router.post(`${PAGE}/withdraw`, isOfProject, (ctx) =>
    editor.act(ctx, 'pageWithdrawn', () => reviews.withdraw(ctx.state.caller, ref(ctx))),
  )

  router.post(`${PAGE}/return`, isOfProject, (ctx) =>
    editor.act(ctx, 'pageReturned', () =>
      reviews.returnPage(ctx.state.caller, ref(ctx), () => readNote(ctx, true)),
    ),
  )

  router.post(`${PAGE}/share`, isOfProject, (ctx) =>
    attempt(
      async () => {
        const { url, expiresAt } = await previews.createLink(ctx.state.caller, ref(ctx), () => LINK_SECONDS)
        const { page, home } = await pages.get(ctx.state.caller, ref(ctx))
        frame.show(ctx, 'secret', {
          title: words.review.linkTitle,
          crumbs: [{ href: pagePath(home.project, page.id), name: page.title }],
          name: page.title,
          secret: url,
          hint: words.review.linkHint(words.time.full(expiresAt)),
          back: { href: pagePath(home.project, page.id), name: words.plan.back },
        })
      },
      (error) => editor.show(ctx, ref(ctx), { error }),
    ),
  )

  /** @throws {ServiceError} `validation_error` when the note is too long, or missing where it is needed. */
  function readNote({ state }: DashboardContext, isNeeded: boolean): string {
    const note = state.form.get('note').trim()
    if (isNeeded && note === '')
      throw fieldFailure('validation_error', [{ path: 'note', message: words.review.noteMissing }])
    if ([...note].length > MAX_NOTE_LENGTH)
      throw fieldFailure('validation_error', [
        { path: 'note', message: words.review.noteTooLong(MAX_NOTE_LENGTH) },
      ])
    return note
  }
}
