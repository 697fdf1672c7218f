import Router, { type RouterContext } from '@koa/router'
import type { Listed } from '../db/repositories/paging.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import type { AssetId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import { NAME_RULE, readMediaName } from '../domain/media-name.ts'
import type { AssetDetails } from '../services/media/asset-details.ts'
import type { AssetUploadService } from '../services/media/asset-uploads.ts'
import type { AssetChange, AssetService, AssetUsage } from '../services/media/assets.ts'
import { type ApiState, param, queryOf } from './api.ts'
import {
  DeleteAsset,
  ListAssets,
  readDigests,
  readListAssets,
  readUploadTexts,
  UploadQuery,
} from './asset-schemas.ts'
import { assertMatch } from './middleware/entity-tags.ts'
import { parseQuery } from './parse.ts'
import { readJson } from './read-json.ts'
import { isForm } from './read-upload.ts'
import { announcedBytes, type ReceivePorts, receiveUpload } from './receive-upload.ts'
import { sendContent } from './send-content.ts'

export interface AssetRoutePorts {
  readonly assets: AssetService
}

export interface AssetUploadRoutePorts extends AssetRoutePorts, ReceivePorts {
  readonly assetUploads: AssetUploadService
}

/** How a surface of the API answers about assets. */
export interface AssetForm {
  /** Of its paths. */
  readonly prefix: '' | '/v1'
  readonly presentAsset: (details: AssetDetails) => object
  readonly presentUsage: (usage: AssetUsage) => object
  readonly presentDeleted: (id: AssetId) => object
  /** @throws {ServiceError} that names every invalid field. */
  readonly readUpdate: (body: JsonObject) => AssetChange
  /** The envelope of one record. */
  readonly envelop: (data: object) => object
  answerWithList(
    ctx: RouterContext<ApiState>,
    list: Listed<AssetDetails>,
    paging: { readonly limit: number; readonly offset: number },
  ): void
}

export function assetRoutes({ assets }: AssetRoutePorts, form: AssetForm): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: form.prefix })

  router.get('/projects/:id/assets', async (ctx) => {
    const { filter, paging } = readListAssets(parseQuery(ListAssets, queryOf(ctx)))
    const list = await assets.list(ctx.state.caller, param(ctx.params, 'id'), filter, paging)
    form.answerWithList(ctx, list, paging)
  })

  router.post('/projects/:id/assets/missing', async (ctx) => {
    const body = await readJson(ctx)
    const missing = await assets.missing(ctx.state.caller, param(ctx.params, 'id'), () => readDigests(body))
    ctx.body = form.envelop({ missing })
  })

  router.get('/assets/:id', async (ctx) => {
    const found = await assets.get(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = found.asset.version
    ctx.body = form.envelop(form.presentAsset(found))
  })

  router.put('/assets/:id', async (ctx) => {
    const body = await readJson(ctx)
    compareWithAsset(ctx, assets, form)
    const updated = await assets.update(ctx.state.caller, param(ctx.params, 'id'), ({ version }) => {
      assertMatch(ctx, version)
      return form.readUpdate(body)
    })
    ctx.state.version = updated.asset.version
    ctx.body = form.envelop(form.presentAsset(updated))
  })

  router.delete('/assets/:id', async (ctx) => {
    const { force } = parseQuery(DeleteAsset, queryOf(ctx))
    compareWithAsset(ctx, assets, form)
    const id = await assets.remove(ctx.state.caller, param(ctx.params, 'id'), {
      force,
      check: ({ version }) => assertMatch(ctx, version),
    })
    ctx.body = form.envelop(form.presentDeleted(id))
  })

  router.get('/assets/:id/content', async (ctx) => {
    await sendContent(ctx, await assets.content(ctx.state.caller, param(ctx.params, 'id')))
  })

  router.get('/assets/:id/usage', async (ctx) => {
    const usage = await assets.usage(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = form.envelop(form.presentUsage(usage))
  })

  return router
}

/** The routes whose body is a file: it is read by them, not before them. */
export function assetUploadRoutes(
  { assets, assetUploads, ...receive }: AssetUploadRoutePorts,
  form: AssetForm,
): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: form.prefix })

  router.post('/projects/:id/assets', async (ctx) => {
    const { name = null } = parseQuery(UploadQuery, queryOf(ctx))
    const ref = param(ctx.params, 'id')
    if (name === null && !isForm(ctx)) throw missingName()
    const turn = await assetUploads.admit(ctx.state.caller, ref, { name, bytes: announcedBytes(ctx) })
    await receiveUpload(ctx, receive, turn, async ({ file, fileName, fields }) => {
      const texts = readUploadTexts(fields)
      const uploaded = await assetUploads.upload(ctx.state.caller, ref, {
        ...texts,
        name: name ?? readFileName(fileName),
        file,
      })
      ctx.status = uploaded.isNew ? 201 : 200
      ctx.state.version = uploaded.asset.version
      ctx.body = form.envelop(form.presentAsset(uploaded))
    })
  })

  router.put('/assets/:id/content', async (ctx) => {
    const ref = param(ctx.params, 'id')
    const turn = await assetUploads.admitContent(ctx.state.caller, ref, announcedBytes(ctx))
    await receiveUpload(ctx, receive, turn, async ({ file, fields }) => {
      readNoFields(fields)
      compareWithAsset(ctx, assets, form)
      const replaced = await assetUploads.replaceContent(ctx.state.caller, ref, file, ({ version }) =>
        assertMatch(ctx, version),
      )
      ctx.state.version = replaced.asset.version
      ctx.body = form.envelop(form.presentAsset(replaced))
    })
  })

  return router
}

/** `If-Match` refers to the asset as a GET answers it. */
function compareWithAsset(
  { state, params }: RouterContext<ApiState>,
  assets: AssetService,
  form: AssetForm,
): void {
  state.current = async () => {
    const found = await assets.get({ ...state.caller, permissions: ['read'] }, param(params, 'id'))
    return { version: found.asset.version, body: form.envelop(form.presentAsset(found)) }
  }
}

function readFileName(fileName: string | null): string {
  if (fileName === null) throw missingName()
  const name = readMediaName(fileName)
  if (name !== null) return name
  const message = `${NAME_RULE}; the form names the file ${JSON.stringify(fileName.slice(0, 100))}. Give it another one with ?name=.`
  throw fieldFailure('validation_error', [{ path: 'name', message, code: 'wrong_format' }])
}

/** A replacement of bytes changes nothing else. */
function readNoFields(fields: ReadonlyMap<string, string>): void {
  const unknown = [...fields.keys()].map((path) => ({
    path,
    message: 'unknown field. Change it with PUT /assets/{id}.',
    code: 'unknown_field' as const,
  }))
  if (unknown.length > 0) throw fieldFailure('validation_error', unknown)
}

function missingName() {
  return fieldFailure('missing_required_field', [{ path: 'name', message: 'required.', code: 'required' }])
}
