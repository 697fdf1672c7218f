import { once } from 'node:events'
import { UnavailableError } from '../../domain/errors.ts'
import { costOfPreview } from '../../http/request-cost.ts'
import { FRAMED } from '../frame/headers.ts'
import type { DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject, ref } from './page-edit.ts'
import { pageFrame } from './page-editor.ts'
import { pagePath } from './page-rows.ts'

const PAGE = '/projects/:project/pages/:page'

/** A page as it would be live now, in a frame with an origin of its own. */
export function pagePreviewViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, previews } = ports
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

  router.get(`${PAGE}/document`, isOfProject, async (ctx) => {
    const gone = new AbortController()
    const closed = once(ctx.res, 'close', { signal: gone.signal }).then(
      () => gone.abort(new UnavailableError('The client closed the connection.', 1)),
      () => {},
    )
    try {
      const html = await previews.preview(ctx.state.caller, ref(ctx), null, gone.signal)
      await ctx.state.charge?.(costOfPreview(html))
      ctx.body = html
      ctx.type = 'html'
      ctx.remove('X-Frame-Options')
      ctx.set({ 'Content-Security-Policy': FRAMED, 'Referrer-Policy': 'no-referrer' })
    } finally {
      gone.abort()
      await closed
    }
  })
}
