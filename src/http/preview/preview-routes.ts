import Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { objectHeaders } from '../../domain/artifact.ts'
import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { MEDIA_PREFIX } from '../../domain/media.ts'
import type { PreviewService } from '../../services/pages/previews.ts'
import { type ApiState, param, queryOf } from '../api.ts'
import { assertKnownVersion } from '../middleware/service-version.ts'
import { type Serving, serveObject } from '../public/serve-object.ts'

export interface PreviewRoutePorts {
  readonly previews: PreviewService
}

/** Keeps a tenant's page from having the rights of the API's origin. */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** `/render/{page_id}`: a preview of a page, with an API key. */
export function previewRoutes({ previews }: PreviewRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.get('/render/:id', async (ctx) => {
    const theme = single(ctx, 'theme')
    const page = param(ctx.params, 'id')
    const preview = whileConnected(ctx, (signal) => previews.preview(ctx.state.caller, page, theme, signal))
    show(ctx, await preview)
  })

  return router
}

/** Previews through a signed link, without a key. Requests without a token pass on to the next route. */
export function signedPreviewRoutes({ previews }: PreviewRoutePorts): Router {
  const router = new Router()

  router.get('/render/:id', async (ctx, next) => {
    const token = single(ctx, 'token')
    if (token === null) return next()
    assertKnownVersion(ctx)
    const { held } = ctx.state as ApiState
    const page = param(ctx.params, 'id')
    const theme = single(ctx, 'theme')
    const preview = whileConnected(ctx, (signal) =>
      previews.previewByToken(token, page, theme, signal, held.reading),
    )
    show(ctx, await preview)
  })

  return router
}

export const CreatePreview = z.strictObject({
  /** Lifetime of the link in seconds: a minute to a week. */
  expires_in: z.int().min(60).max(604_800).default(3_600),
})

/** Runs work with a signal that is aborted when the connection is closed. No client reads the error then. */
async function whileConnected<T>({ res }: Context, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController()
  const abort = () => gone.abort(new UnavailableError('The client closed the connection.', 1))
  res.once('close', abort)
  try {
    return await work(gone.signal)
  } finally {
    res.off('close', abort)
  }
}

function show(ctx: Context, html: string): void {
  ctx.body = html
  ctx.type = 'html'
  ctx.set({
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': SANDBOX,
  })
}

/** @throws {ServiceError} `invalid_request` when the parameter is given twice. */
function single(ctx: Context, name: string): string | null {
  const values = queryOf(ctx).getAll(name)
  if (values.length > 1)
    throw fieldFailure('invalid_request', [
      { path: name, message: 'given more than once.', code: 'given_twice' },
    ])
  return values[0] ?? null
}

/**
 * Assets of previews. Files of themes need no key: they contain no secrets, and browsers cannot send one. The names of
 * images and files that are not public are signed.
 */
export function previewAssetRoutes({
  previews,
  compression,
}: PreviewRoutePorts & Pick<Serving, 'compression'>): Router {
  const router = new Router({ prefix: '/render' })

  router.get('/_assets/:file', async (ctx) => {
    const file = param(ctx.params, 'file')
    const key = `_assets/${file}`
    const body = previews.asset(key)
    if (body === null && (await serveOriginal(ctx, file))) return
    if (body === null)
      throw new ServiceError('not_found', 'No recent preview uses this file. Load the preview again.')
    const { contentType, cacheControl } = objectHeaders(key)
    ctx.set({ 'Content-Type': contentType, 'Cache-Control': cacheControl })
    ctx.body = body
  })

  return router

  async function serveOriginal(ctx: Context, file: string): Promise<boolean> {
    const storage = { open: () => previews.original(file) }
    ctx.set({ 'Content-Security-Policy': SANDBOX, 'X-Robots-Tag': 'noindex' })
    return serveObject(ctx, { storage, compression }, `/${MEDIA_PREFIX}${file}`, async () => null)
  }
}
