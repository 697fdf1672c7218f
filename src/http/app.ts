import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { createDashboard } from '../dashboard/dashboard.ts'
import type { DashboardPorts } from '../dashboard/ports.ts'
import type { Database } from '../db/repositories.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ByteBudget } from '../limits/byte-budget.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { liftAnswerTime } from '../platform/answer-time.ts'
import type { Storage } from '../storage/storage.ts'
import type { ApiState } from './api.ts'
import { type AssetUploadRoutePorts, assetContentRoutes, assetUploadRoutes } from './asset-routes.ts'
import { createProjectReader } from './bodies/project-schemas.ts'
import { type CurrentOperationPorts, currentOperations } from './current/operations.ts'
import { ASSET_FORM } from './current/present-asset.ts'
import { routesOf } from './endpoint.ts'
import { healthRoutes } from './health-routes.ts'
import { type InternalRoutePorts, internalRoutes } from './internal-routes.ts'
import type { CursorPorts } from './list-walk.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { errorsAsMessages } from './mcp/protocol.ts'
import { metricsRoutes } from './metrics-routes.ts'
import { type AnswerTimePorts, answerInTime } from './middleware/answer-in-time.ts'
import { authenticated, authenticatedAfterBody } from './middleware/authenticated.ts'
import { chargeCost } from './middleware/charge-cost.ts'
import { closeUnread } from './middleware/close-unread.ts'
import { deprecation } from './middleware/deprecation.ts'
import { entityTags } from './middleware/entity-tags.ts'
import { answerErrors } from './middleware/errors.ts'
import { holdAnswers } from './middleware/hold-answers.ts'
import { type HttpsRule, httpsOnly } from './middleware/https-only.ts'
import { createRunOnce, idempotency } from './middleware/idempotency.ts'
import { observe } from './middleware/observe.ts'
import { type PacePorts, paceLargeRequests } from './middleware/pace-large-requests.ts'
import { answerPreflight } from './middleware/preflight.ts'
import { countCalls, countVisits, type RateLimitPorts, showRateLimits } from './middleware/rate-limit.ts'
import { type ReadTurnPorts, takeReadTurns } from './middleware/read-turns.ts'
import { knownVersion } from './middleware/service-version.ts'
import { standardHeaders } from './middleware/standard-headers.ts'
import type { OpenApiDocument } from './openapi/document.ts'
import { openApiRoutes } from './openapi/openapi-routes.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { previewAssetRoutes, previewRoutes, signedPreviewRoutes } from './preview/preview-routes.ts'
import { createCompression } from './public/compression.ts'
import { findHostSite, serveHostSite } from './public/host-site.ts'
import { publicRoutes } from './public/public-routes.ts'
import type { CountedVisits } from './public/receive-visit.ts'
import { drainRefused } from './receive-upload.ts'
import { problemRoutes } from './reference/problem-routes.ts'
import { redirectToReference, referenceRoutes } from './reference/reference-routes.ts'
import { type SchemaRoutePorts, schemaRoutes } from './schema-routes.ts'
import { createAnswerAgent } from './site-mcp/answer-agent.ts'
import { type StatusRoutePorts, statusRoutes } from './status-page.ts'
import { type LegacyOperationPorts, legacyOperations } from './v1/operations.ts'
import { LEGACY_ASSET_FORM } from './v1/present-asset.ts'

export interface AppPorts
  extends Omit<CurrentOperationPorts, 'projectReader' | 'limits'>,
    Omit<AssetUploadRoutePorts, 'runOnce'>,
    LegacyOperationPorts,
    SchemaRoutePorts,
    StatusRoutePorts,
    Omit<DashboardPorts, 'log' | 'projectReader'>,
    ReadTurnPorts,
    AnswerTimePorts,
    PacePorts,
    Omit<InternalRoutePorts, 'trustProxy'>,
    Omit<RateLimitPorts, 'trustProxy'>,
    CursorPorts {
  readonly db: Database
  readonly storage: Storage
  /** Counts the visits of sites. */
  readonly countedVisits: CountedVisits
  /** Creates the OpenAPI document on the first request: it takes half as long as a start and is rarely requested. */
  readonly document: () => OpenApiDocument
  /** Folder with the template and the style of the API reference. */
  readonly referenceTemplates: string
  /** URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly https: HttpsRule
  /** Memory of requests in progress. */
  readonly budget: ByteBudget
  readonly log: Logger
  readonly metrics: Metrics
  /** Part of the answered requests that is logged, from 0 to 1. */
  readonly requestSample: number
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/**
 * Creates the HTTP application. The host is checked first: a site's own host serves nothing but the site. After that,
 * the order of the middleware is the order of errors: HTTPS, key, route, version, then errors of the route. Requests
 * are counted before an error of their key is answered, so that guessing keys is limited too.
 */
export function createApp(ports: AppPorts): Koa {
  const app = new Koa()
  const projectReader = createProjectReader(ports.themes, ports.domainRules, ports.addresses.sitesDomain)
  const operations = currentOperations(ports.themes)
  const visited = {
    ...ports,
    compression: createCompression(),
    answerAgent: createAnswerAgent(ports),
    visits: ports.countedVisits,
  }
  const counted = { ...ports, trustProxy: ports.https.trustProxy }
  app.on('error', (error, ctx?: Koa.Context) => {
    if (isDisconnect(error)) return
    ports.log.error({ err: error, request_id: ctx?.state['requestId'] }, 'A response could not be finished.')
  })

  app.use(standardHeaders)
  app.use(closeUnread)
  app.use(observe(ports))
  app.use(errorsAsMessages)
  app.use(answerErrors(ports))
  app.use(holdAnswers(counted))
  app.use(showRateLimits(counted))
  app.use(answerPreflight)
  app.use(findHostSite(ports))
  app.use(countVisits(counted))
  app.use(serveHostSite(visited))
  app.use(createDashboard({ ...ports, projectReader }))
  app.use(answerInTime(ports))
  app.use(deprecation)
  const open = [
    healthRoutes(ports),
    metricsRoutes(ports),
    internalRoutes(counted),
    statusRoutes(ports),
    openApiRoutes(ports.document),
    referenceRoutes(ports.document, ports.referenceTemplates),
    problemRoutes(ports.referenceTemplates),
    schemaRoutes(ports),
    publicRoutes(visited),
    previewAssetRoutes(visited),
  ]
  for (const routes of open) app.use(routes.routes())
  app.use(refuseOtherMethods)
  app.use(redirectToReference)
  app.use(httpsOnly(ports.https))
  // All middleware below works for accounts. Files of sites and documents about the API are the same for all.
  app.use(chargeCost)
  app.use(countCalls(counted))
  app.use(signedPreviewRoutes(ports).routes())
  app.use(authenticated)
  const runOnce = createRunOnce(ports)
  const uploads = new Router<ApiState>()
  // An upload takes as long as its file and the store need.
  uploads.use(withoutLimit)
  uploads.use(knownVersion)
  uploads.use(drainRefused)
  for (const form of [ASSET_FORM, LEGACY_ASSET_FORM])
    uploads.use(assetUploadRoutes({ ...ports, runOnce }, form).routes())
  app.use(uploads.routes() as Koa.Middleware)
  const handle: RequestListener = (request, response) => callback(request, response)
  app.use(mcpRoutes({ operations, document: ports.document, handle }).routes() as Koa.Middleware)
  const api = new Router<ApiState>()
  // The version is checked only for routes that exist.
  api.use(knownVersion)
  api.use(authenticatedAfterBody(ports))
  api.use(paceLargeRequests(ports))
  api.use(idempotency(runOnce))
  api.use(entityTags)
  api.use(takeReadTurns(ports))
  const surfaces = [
    routesOf(operations, { ...ports, projectReader }),
    routesOf(legacyOperations(ports.themes), ports),
    ...[ASSET_FORM, LEGACY_ASSET_FORM].map((form) => assetContentRoutes(ports, form)),
    previewRoutes(ports),
  ]
  for (const routes of surfaces) api.use(routes.routes())
  app.use(api.routes() as Koa.Middleware)
  app.use(refuseOtherMethods)
  app.use(noSuchRoute)
  const callback = app.callback()
  return app
}

/** Creates the application of a worker process: health, metrics and status. */
export function createWorkerApp(
  ports: Pick<AppPorts, 'db' | 'storage' | 'log' | 'metrics' | 'requestSample' | 'status' | 'baseUrl'>,
): Koa {
  const app = new Koa()
  app.use(standardHeaders)
  app.use(observe(ports))
  app.use(answerErrors(ports))
  for (const routes of [healthRoutes(ports), metricsRoutes(ports), statusRoutes(ports)])
    app.use(routes.routes())
  app.use(refuseOtherMethods)
  app.use(noSuchRoute)
  return app
}

/** True when the client disconnected before the end of the answer, which is not an error of the service. */
function isDisconnect(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE'
}

const withoutLimit: Koa.Middleware = (_, next) => {
  liftAnswerTime()
  return next()
}

const noSuchRoute: Koa.Middleware = (ctx) => {
  throw new ServiceError('not_found', `${ctx.method} ${ctx.path} does not exist.`)
}
