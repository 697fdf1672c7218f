import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../domain/errors.ts'
import { clientAddress } from '../http/client-address.ts'
import { httpsOnly, isSecure } from '../http/middleware/https-only.ts'
import { refuse, showStatus } from '../http/middleware/rate-limit.ts'
import { takeReadTurns } from '../http/middleware/read-turns.ts'
import { requestTarget } from '../http/public/request-target.ts'
import { isForm } from '../http/read-upload.ts'
import type { Subject } from '../limits/rate-limits.ts'
import { parseIpRanges } from '../platform/ip-ranges.ts'
import { createAnswerErrors } from './frame/answer-errors.ts'
import { isFormToken, isOwnForm } from './frame/cross-site.ts'
import { isDashboardHost } from './frame/dashboard-host.ts'
import { readForm, toForm } from './frame/form.ts'
import { createFrame } from './frame/frame.ts'
import { setHeaders } from './frame/headers.ts'
import { HOME } from './frame/return-path.ts'
import { sessionToken } from './frame/session-cookie.ts'
import { openStaticFiles } from './frame/static-files.ts'
import type { DashboardPorts, DashboardState } from './ports.ts'
import { accountViews } from './views/account.ts'
import { jobViews, showContinued } from './views/jobs.ts'
import { keyViews } from './views/keys.ts'
import { mediaViews } from './views/media.ts'
import { overviewView } from './views/overview.ts'
import { pageEditViews } from './views/page-edit.ts'
import { pageNewViews } from './views/page-new.ts'
import { pagePreviewViews } from './views/page-preview.ts'
import { pageListViews } from './views/pages.ts'
import { projectViews } from './views/projects.ts'
import { releaseViews } from './views/releases.ts'
import { secondFactorViews } from './views/second-factor.ts'
import { setUpViews } from './views/set-up.ts'
import { settingsViews } from './views/settings.ts'
import { signInViews } from './views/sign-in.ts'
import { uploadViews } from './views/upload.ts'
import { usageView } from './views/usage.ts'

const PATH = /^\/dashboard(\/|$)/i
const FILE = /^\/dashboard\/_files\/([^/]+)$/
/** Views that need no session. */
const OPEN = /^\/dashboard\/(sign-in(\/code)?|sign-out|set-up)\/?$/i

/** Views with links by path come before those whose path has a parameter in their place: `pages/new`, `pages/:page`. */
const VIEWS = [
  signInViews,
  setUpViews,
  accountViews,
  secondFactorViews,
  projectViews,
  overviewView,
  settingsViews,
  pageListViews,
  pageNewViews,
  pageEditViews,
  pagePreviewViews,
  releaseViews,
  jobViews,
  uploadViews,
  mediaViews,
  keyViews,
  usageView,
] as const

/**
 * `/dashboard`: everything an account owner can do through the API, as pages without scripts. Every act is a form and a
 * redirect. Opened at its first request.
 */
export function createDashboard(ports: DashboardPorts): Middleware {
  let opened: ReturnType<typeof openDashboard> | null = null

  return async (ctx, next) => {
    if (!PATH.test(ctx.path)) return next()
    opened ??= openDashboard(ports).catch((error) => {
      opened = null
      throw error
    })
    await (await opened).answer(ctx)
  }
}

/** The dashboard and its routes. */
export async function openDashboard(ports: DashboardPorts) {
  const { dashboard, https, limits, sessions } = ports
  const { baseUrl, folders, formKey } = dashboard
  const proxies = parseIpRanges(https.trustProxy)
  const files = await openStaticFiles(folders)
  const frame = createFrame({ ...ports, folders, files, formKey })
  const { words } = frame
  const answerErrors = createAnswerErrors({ ...ports, frame })
  const refusePlain = httpsOnly(https)
  const inTurn = takeReadTurns(ports)
  const router = new Router<DashboardState>({ prefix: '/dashboard' })
  router.get('/', (ctx) => frame.goTo(ctx, HOME))
  router.use(showContinued({ frame }))
  for (const view of VIEWS) view(router, { ...ports, frame })
  const routes = router.routes() as unknown as Middleware

  return { answer, routes: router.stack }

  async function answer(ctx: Context): Promise<void> {
    setHeaders(ctx)
    if (!isDashboardHost(requestTarget(ctx.req).host, baseUrl)) return refuseHost(ctx)
    ctx.state['form'] = toForm(new URLSearchParams())
    await answerErrors(ctx, () => refusePlain(ctx, () => serve(ctx)))
  }

  async function serve(ctx: Context): Promise<void> {
    const [, file] = FILE.exec(ctx.path) ?? []
    if (file !== undefined) return serveFile(ctx, file)
    const secure = isSecure(ctx, proxies)
    const token = sessionToken(ctx.get('cookie'), secure)
    const found = token === null ? null : await sessions.authenticate(token)
    const address = clientAddress(ctx, proxies)
    const state = ctx.state as DashboardState
    Object.assign(state, { isSecure: secure, address, sessionToken: found === null ? null : token })
    await count(ctx, found === null ? address : `session ${found.session.id}`)
    if (found !== null) {
      const { requestId, held } = state
      state.caller = { ...found.caller, requestId, reserve: held.reading }
      state.identity = state.caller
    }
    if (ctx.method === 'POST') await readOwnForm(ctx, found?.session.id ?? null)
    if (found === null && !OPEN.test(ctx.path)) return askToSignIn(ctx)
    if (found === null) await routes(ctx, noSuchView)
    else await inTurn(ctx as never, async () => void (await routes(ctx, noSuchView)))
  }

  function serveFile(ctx: Context, name: string): void {
    if (!files.serve(ctx, name)) noSuchView()
  }

  /** Reads the form of a page of the dashboard. A file is read by its own route. */
  async function readOwnForm(ctx: Context, sessionId: string | null): Promise<void> {
    const origin = {
      fetchSite: ctx.get('sec-fetch-site'),
      origin: ctx.get('origin'),
      host: requestTarget(ctx.req).host,
    }
    // Before the body is read, which may be long.
    if (!isOwnForm(origin, true)) throw new ServiceError('forbidden', words.fault.crossSite)
    const form = isForm(ctx) ? toForm(new URLSearchParams()) : await readForm(ctx)
    const hasToken = sessionId !== null && isFormToken(form.get('token'), sessionId, formKey)
    if (!isOwnForm(origin, hasToken)) throw new ServiceError('forbidden', words.fault.crossSite)
    ctx.state['form'] = form
  }

  function askToSignIn(ctx: Context): void {
    if (ctx.method === 'POST') throw new ServiceError('unauthorized', words.fault.expired)
    frame.goTo(ctx, `/dashboard/sign-in?${new URLSearchParams({ next: ctx.url })}`)
  }

  function refuseHost(ctx: Context): void {
    ctx.status = 404
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = `${words.fault.otherHost(baseUrl)}\n`
  }

  /** Reading counts as visits of pages do, since a page has many pictures. */
  async function count(ctx: Context, id: string): Promise<void> {
    const subject: Subject = { kind: 'address', id }
    const budget = ctx.method === 'POST' ? 'calls' : 'visits'
    const decision = await limits.take({ subject, budget, endpoint: null })
    showStatus(ctx, decision)
    if (decision.refusal !== null) refuse(ctx, decision.refusal)
    ;(ctx.state as DashboardState).charge = async (more) => {
      if (more > 0) showStatus(ctx, await limits.charge({ subject, budget }, more))
    }
  }
}

function noSuchView(): never {
  throw new ServiceError('not_found', 'The dashboard has no such page.')
}
