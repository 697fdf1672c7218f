import Router, { type RouterContext } from '@koa/router'
import { Eta } from 'eta'
import type { Context, Middleware } from 'koa'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { clientAddress } from '../http/client-address.ts'
import { answerInTime } from '../http/middleware/answer-in-time.ts'
import { chargeCost } from '../http/middleware/charge-cost.ts'
import { httpsOnly, isSecure } from '../http/middleware/https-only.ts'
import { refuse, showStatus } from '../http/middleware/rate-limit.ts'
import { takeReadTurns } from '../http/middleware/read-turns.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { requestTarget } from '../http/public/request-target.ts'
import { hasBody } from '../http/read-json.ts'
import { isForm } from '../http/read-upload.ts'
import type { CountedRequest, Subject } from '../limits/rate-limits.ts'
import { liftAnswerTime } from '../platform/answer-time.ts'
import { parseIpRanges } from '../platform/ip-ranges.ts'
import { ownSession } from '../services/accounts/session-caller.ts'
import { createAnswerErrors } from './frame/answer-errors.ts'
import { isFormToken, isOwnForm } from './frame/cross-site.ts'
import { isDashboardHost } from './frame/dashboard-host.ts'
import { EMPTY_FORM, readForm } from './frame/form.ts'
import { createFrame, type Frame } from './frame/frame.ts'
import { setHeaders } from './frame/headers.ts'
import { chosenLanguage } from './frame/language-cookie.ts'
import { HOME } from './frame/return-path.ts'
import { sessionToken } from './frame/session-cookie.ts'
import { openStaticFiles } from './frame/static-files.ts'
import type { DashboardPorts, DashboardState } from './ports.ts'
import { accountViews } from './views/account.ts'
import { accountDeletionViews } from './views/account-deletion.ts'
import { addressViews } from './views/address.ts'
import { auditViews } from './views/audit.ts'
import { comparisonViews } from './views/comparison.ts'
import { conflictViews } from './views/conflicts.ts'
import { dataModeViews } from './views/data-mode.ts'
import { invitationViews } from './views/invitation.ts'
import { jobViews, showContinued } from './views/jobs.ts'
import { keyViews } from './views/keys.ts'
import { languageViews } from './views/language.ts'
import { mediaViews } from './views/media.ts'
import { memberViews } from './views/members.ts'
import { navigationViews } from './views/navigation.ts'
import { offerViews } from './views/offers.ts'
import { overviewView } from './views/overview.ts'
import { pageEditViews } from './views/page-edit.ts'
import { pageNewViews } from './views/page-new.ts'
import { pagePreviewViews } from './views/page-preview.ts'
import { pagePublishViews } from './views/page-publish.ts'
import { pageListViews } from './views/pages.ts'
import { pageBulkViews } from './views/pages-bulk.ts'
import { passkeyViews } from './views/passkeys.ts'
import { projectLanguageViews } from './views/project-languages.ts'
import { projectViews } from './views/projects.ts'
import { recoveryViews } from './views/recovery.ts'
import { redirectViews } from './views/redirects.ts'
import { releaseViews } from './views/releases.ts'
import { reviewViews } from './views/review.ts'
import { secondFactorViews } from './views/second-factor.ts'
import { sectionViews } from './views/sections.ts'
import { setUpViews } from './views/set-up.ts'
import { settingsViews } from './views/settings.ts'
import { signInViews } from './views/sign-in.ts'
import { startViews } from './views/start.ts'
import { themeViews } from './views/theme.ts'
import { uploadViews } from './views/upload.ts'
import { usageView } from './views/usage.ts'
import { visitViews } from './views/visits.ts'
import { webhookViews } from './views/webhooks.ts'
import type { Words } from './words/en.ts'
import { LANGUAGES, languageOf } from './words/languages.ts'

const PATH = /^\/dashboard(\/|$)/i
const FILE = /^\/dashboard\/_files\/([^/]+)$/
/** The preview of an editor. It is rendered while a user types, and changes nothing. */
const DRAWING = /\/document$/
/** Views that need no session. */
const OPEN =
  /^\/dashboard\/(sign-in(\/(code|passkey))?|sign-out|set-up|forgotten|invitation(\/join)?|language)\/?$/i
/** Largest form of such a view, which anyone can send. The answer of a passkey has a few KiB. */
const OPEN_FORM_BYTES = 16 * 1024
/** Largest form of other views without a session. It may have ended: the page about it shows the entered values. */
const ENDED_FORM_BYTES = 256 * 1024

/** Views with a fixed path come before views with a parameter in its place: `pages/new`, `pages/:page`. */
const VIEWS = [
  signInViews,
  setUpViews,
  recoveryViews,
  accountViews,
  accountDeletionViews,
  offerViews,
  invitationViews,
  secondFactorViews,
  passkeyViews,
  startViews,
  projectViews,
  overviewView,
  settingsViews,
  themeViews,
  navigationViews,
  projectLanguageViews,
  addressViews,
  memberViews,
  webhookViews,
  dataModeViews,
  auditViews,
  visitViews,
  languageViews,
  pageListViews,
  pageBulkViews,
  pageNewViews,
  pagePublishViews,
  comparisonViews,
  conflictViews,
  reviewViews,
  sectionViews,
  pageEditViews,
  pagePreviewViews,
  releaseViews,
  jobViews,
  uploadViews,
  redirectViews,
  mediaViews,
  keyViews,
  usageView,
] as const

/** The views in one language, and the routes that lead to them. */
interface Surface {
  readonly frame: Frame
  readonly stack: Router<DashboardState>['stack']
  readonly routes: Middleware
  readonly answerErrors: ReturnType<typeof createAnswerErrors>
}

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
  const eta = new Eta({ views: folders.templates, autoEscape: true, cache: true })
  const refusePlain = httpsOnly(https)
  const inTurn = takeReadTurns(ports)
  const inTime = answerInTime(ports)
  const surfaces = new Map(LANGUAGES.map((words) => [words, openSurface(words)]))

  return { answer, routes: surfaceOf(LANGUAGES[0]).stack }

  /** The views in one language. */
  function openSurface(words: Words) {
    const frame = createFrame({ ...ports, words, languages: LANGUAGES, eta, files, formKey })
    const router = new Router<DashboardState>({ prefix: '/dashboard' })
    router.get('/', (ctx) => frame.goTo(ctx, HOME))
    router.use(showContinued({ frame }))
    router.use('/projects/:project', knowStanding(ports))
    for (const view of VIEWS) view(router, { ...ports, frame })
    return {
      frame,
      stack: router.stack,
      routes: router.routes() as unknown as Middleware,
      answerErrors: createAnswerErrors({ ...ports, frame }),
    }
  }

  function surfaceOf(words: Words): Surface {
    const surface = surfaces.get(words)
    if (surface === undefined) throw new Error(`The dashboard has no views in ${words.lang}.`)
    return surface
  }

  async function answer(ctx: Context): Promise<void> {
    setHeaders(ctx)
    ctx.vary('Accept-Language')
    const surface = surfaceOf(languageOf(chosenLanguage(ctx.get('cookie')), ctx.get('accept-language')))
    if (!isDashboardHost(requestTarget(ctx.req).host, baseUrl)) return refuseHost(ctx, surface)
    ctx.state['form'] = EMPTY_FORM
    await surface.answerErrors(ctx, () =>
      inTime(ctx, () => chargeCost(ctx, () => refusePlain(ctx, () => serve(ctx, surface)))),
    )
  }

  async function serve(ctx: Context, { frame, routes }: Surface): Promise<void> {
    const [, file] = FILE.exec(ctx.path) ?? []
    if (file !== undefined) return serveFile(ctx, file)
    const secure = isSecure(ctx, proxies)
    const token = sessionToken(ctx.get('cookie'), secure)
    const found = token === null ? null : await sessions.authenticate(token)
    const address = clientAddress(ctx, proxies)
    const state = ctx.state as DashboardState
    Object.assign(state, { isSecure: secure, address, sessionToken: found === null ? null : token })
    await count(ctx, found?.caller ?? null)
    if (found !== null) {
      const { requestId, held } = state
      state.caller = { ...found.caller, requestId, reserve: held.reading }
      state.identity = state.caller
    }
    if (ctx.method === 'POST') await readOwnForm(ctx, found?.session.id ?? null, frame)
    const isSignedIn = found !== null && (await isStillSignedIn(ctx))
    if (!isSignedIn && !OPEN.test(ctx.path)) return askToSignIn(ctx, frame)
    if (!isSignedIn) await routes(ctx, () => noSuchView(ctx))
    else await inTurn(ctx as never, async () => void (await routes(ctx, () => noSuchView(ctx))))
  }

  /** A form can arrive so slowly that its session has ended meanwhile. The route of an upload checks it by itself. */
  async function isStillSignedIn(ctx: Context): Promise<boolean> {
    if (ctx.method !== 'POST' || !hasBody(ctx) || isForm(ctx)) return true
    const state = ctx.state as DashboardState
    if ((await sessions.authenticate(state.sessionToken ?? '')) !== null) return true
    Reflect.deleteProperty(state, 'caller')
    state.sessionToken = null
    return false
  }

  function serveFile(ctx: Context, name: string): void {
    if (!files.serve(ctx, name)) throw noSuchPage()
  }

  /** Reads the form of a page of the dashboard. A file is read by its own route. */
  async function readOwnForm(ctx: Context, sessionId: string | null, { words }: Frame): Promise<void> {
    const origin = {
      fetchSite: ctx.get('sec-fetch-site'),
      origin: ctx.get('origin'),
      host: requestTarget(ctx.req).host,
      // Behind an untrusted proxy, HTTPS is not visible.
      schemes: [
        ...new Set([(ctx.state as DashboardState).isSecure ? 'https:' : 'http:', new URL(baseUrl).protocol]),
      ],
    }
    // Before the body is read, which may be long.
    if (!isOwnForm(origin, true)) throw new ServiceError('forbidden', words.fault.crossSite)
    const limit = OPEN.test(ctx.path) ? OPEN_FORM_BYTES : sessionId === null ? ENDED_FORM_BYTES : undefined
    if (isForm(ctx)) liftAnswerTime()
    const form = isForm(ctx) ? EMPTY_FORM : await readForm(ctx, limit)
    const hasToken = sessionId !== null && isFormToken(form.get('token'), sessionId, formKey)
    if (!isOwnForm(origin, hasToken)) throw new ServiceError('forbidden', words.fault.crossSite)
    ctx.state['form'] = form
  }

  function askToSignIn(ctx: Context, frame: Frame): void {
    if (ctx.method === 'POST') throw new ServiceError('unauthorized', frame.words.fault.expired)
    frame.goTo(ctx, `/dashboard/sign-in?${new URLSearchParams({ next: ctx.url })}`)
  }

  function refuseHost(ctx: Context, { frame: { words } }: Surface): void {
    ctx.status = 404
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = `${words.fault.otherHost(baseUrl)}\n`
  }

  /** Reads count as visits of pages do, since a page has many images. */
  async function count(ctx: Context, caller: Caller | null): Promise<void> {
    const budget = ctx.method === 'POST' && !DRAWING.test(ctx.path) ? 'calls' : 'visits'
    const subject = subjectOf(ctx, caller, budget)
    const request: CountedRequest = { subject, budget, endpoint: null }
    const decision = await limits.take(request)
    showStatus(ctx, decision)
    if (decision.refusal !== null) refuse(ctx, decision.refusal)
    ;(ctx.state as DashboardState).charge = async (more) => {
      if (more > 0) showStatus(ctx, await limits.charge(request, more))
    }
  }
}

/** Changes count per session, reads per user in all sessions together, and requests without a session per address. */
function subjectOf(ctx: Context, caller: Caller | null, budget: CountedRequest['budget']): Subject {
  if (caller === null) return { kind: 'address', id: (ctx.state as DashboardState).address }
  const { userId, accountAllowance } = caller
  if (budget === 'visits') return { kind: 'user', id: userId }
  return { kind: 'session', id: ownSession(caller), account: { id: userId, allowance: accountAllowance } }
}

/** Reads the caller's standing in the project of a path. Templates show only the forms that it allows. */
function knowStanding({ projects }: Pick<DashboardPorts, 'projects'>) {
  return async (ctx: RouterContext<DashboardState>, next: () => Promise<unknown>): Promise<void> => {
    ctx.state.standing = await projects.standing(ctx.state.caller, ctx.params['project'] ?? '')
    await next()
  }
}

async function noSuchView(ctx: Context): Promise<void> {
  await refuseOtherMethods(ctx, () => Promise.reject(noSuchPage()))
}

function noSuchPage(): ServiceError {
  return new ServiceError('not_found', 'The dashboard has no such page.')
}
