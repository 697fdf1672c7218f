import { once } from 'node:events'
import { UnavailableError } from '../../domain/errors.ts'
import { queryOf } from '../../http/api.ts'
import { readUpdatePage } from '../../http/bodies/page-schemas.ts'
import { FRAMED } from '../frame/headers.ts'
import { readSections, withoutBlanks } from '../frame/section-fields.ts'
import { changesOf } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pageControls, pageUpdate } from './page-form.ts'
import { pagePath } from './page-rows.ts'
import { configWith } from './sections.ts'

const PAGE = '/projects/:project/pages/:page'

/** A page as it would be live now, in a frame with an origin of its own. */
export function pagePreviewViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, previews, themes } = ports
  const { words } = frame
  const isOfProject = ofProject(ports)

  router.get(`${PAGE}/preview`, isOfProject, async (ctx) => {
    const found = await pages.get(ctx.state.caller, ref(ctx))
    frame.show(ctx, 'page-preview', {
      ...pageFrame(found, 'preview', words),
      source: pagePath(found.home.project, found.page.id, '/document'),
      name: words.page.frame(found.page.title),
    })
  })

  router.get(`${PAGE}/document`, isOfProject, (ctx) => {
    const release = queryOf(ctx).get('release')
    return answerPreview(ctx, (gone) =>
      release === null
        ? previews.preview(ctx.state.caller, ref(ctx), null, gone)
        : previews.previewRelease(ctx.state.caller, ref(ctx), release, gone),
    )
  })

  // Preview of an unsaved form. It changes nothing.
  router.post(`${PAGE}/document`, isOfProject, (ctx) =>
    answerPreview(ctx, (gone) =>
      previews.previewEdit(
        ctx.state.caller,
        ref(ctx),
        (page, shown, home) => {
          const { form } = ctx.state
          if (form.has('s.rows'))
            return readUpdatePage(
              { config: configWith(page, withoutBlanks(readSections(form))) },
              page,
              shown,
              themes,
              home.project.hosting.slugs,
            )
          const { mine } = changesOf(pageControls({ page, fields: shown.now }, words), form)
          return readUpdatePage(pageUpdate(mine, page), page, shown, themes, home.project.hosting.slugs)
        },
        gone,
      ),
    ),
  )
}

/** Answers with a page in a frame of its own origin. Drawing ends when the client no longer waits. */
export async function answerPreview(
  ctx: DashboardContext,
  draw: (gone: AbortSignal) => Promise<string>,
): Promise<void> {
  const gone = new AbortController()
  const closed = once(ctx.res, 'close', { signal: gone.signal }).then(
    () => gone.abort(new UnavailableError('The client closed the connection.', 1)),
    () => {},
  )
  try {
    const html = await draw(gone.signal)
    ctx.body = html
    ctx.type = 'html'
    ctx.remove('X-Frame-Options')
    ctx.set({ 'Content-Security-Policy': FRAMED, 'Referrer-Policy': 'no-referrer' })
  } finally {
    gone.abort()
    await closed
  }
}
