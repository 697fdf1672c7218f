import Router from '@koa/router'
import { fieldFailure } from '../domain/field-errors.ts'
import { NAME_RULE, readMediaName } from '../domain/media-name.ts'
import type { AssetUploadService } from '../services/media/asset-uploads.ts'
import { type ApiState, param, queryOf } from './api.ts'
import { type AssetForm, type AssetOperationPorts, assetAsRead } from './asset-operations.ts'
import { readUploadTexts, UploadQuery } from './asset-schemas.ts'
import { assertMatch } from './middleware/entity-tags.ts'
import { parseQuery } from './parse.ts'
import { isForm } from './read-upload.ts'
import { announcedBytes, type ReceivePorts, receiveUpload } from './receive-upload.ts'
import { sendContent } from './send-content.ts'

export interface AssetUploadRoutePorts extends AssetOperationPorts, ReceivePorts {
  readonly assetUploads: AssetUploadService
}

/** The route whose answer is a file. */
export function assetContentRoutes(
  { assets }: AssetOperationPorts,
  { prefix }: Pick<AssetForm, 'prefix'>,
): Router<ApiState> {
  const router = new Router<ApiState>({ prefix })

  router.get('/assets/:id/content', async (ctx) => {
    await sendContent(ctx, await assets.content(ctx.state.caller, param(ctx.params, 'id')))
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
      ctx.state.current = () => assetAsRead(form, assets, ctx.state.caller, ref)
      const replaced = await assetUploads.replaceContent(ctx.state.caller, ref, file, ({ version }) =>
        assertMatch(ctx, version),
      )
      ctx.state.version = replaced.asset.version
      ctx.body = form.envelop(form.presentAsset(replaced))
    })
  })

  return router
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
