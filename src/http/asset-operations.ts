import type { z } from 'zod'
import type { Caller } from '../domain/caller.ts'
import type { AssetId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { AssetDetails } from '../services/media/asset-details.ts'
import type { AssetChange, AssetService, AssetUsage as FoundUsage } from '../services/media/assets.ts'
import { idParam } from './answer-fields.ts'
import type { Representation } from './api.ts'
import type { AssetAnswers } from './asset-answers.ts'
import {
  ASSET_READ_ONLY,
  DeleteAsset,
  type ListAssets,
  MissingDigests,
  readDigests,
  UploadQuery,
  UploadTexts,
} from './asset-schemas.ts'
import { type ApiAnswer, type ApiRequest, type Endpoint, endpointsWith } from './endpoint.ts'
import { requestBody } from './openapi/body.ts'
import { fileAnswer, fileBody } from './openapi/file-body.ts'
import { json, type Operation } from './openapi/operation.ts'

export interface AssetOperationPorts {
  readonly assets: AssetService
}

/** Names and answers of assets on one surface of the API. */
export interface AssetForm {
  /** Prefix of its paths. */
  readonly prefix: '' | '/v1'
  /** The id of an operation. */
  readonly id: (id: string) => string
  /** Prefix of the names of schemas. */
  readonly schema: string
  readonly tag: string
  readonly answers: AssetAnswers
  /** The body of an update. */
  readonly update: z.ZodObject
  /** @throws {ServiceError} that names every invalid field. */
  readonly readUpdate: (body: JsonObject) => AssetChange
  readonly presentAsset: (details: AssetDetails) => object
  readonly presentUsage: (usage: FoundUsage) => object
  readonly presentDeleted: (id: AssetId) => object
  /** The envelope of one record. */
  readonly envelop: (data: object) => object
  readonly listQuery: typeof ListAssets
  readonly list: (
    request: ApiRequest<z.output<typeof ListAssets>>,
    assets: AssetService,
  ) => Promise<ApiAnswer>
}

const endpoint = endpointsWith<AssetOperationPorts>()

const project = idParam('proj')
const asset = idParam('ast')

/** Operations on images and files. `asset-routes.ts` implements the ones with a file as body or answer. */
export function assetOperations(form: AssetForm): readonly (Operation | Endpoint<AssetOperationPorts>)[] {
  const {
    tag,
    answers: {
      asset: Asset,
      list: AssetList,
      usage: AssetUsage,
      deleted: DeletedAsset,
      missing: MissingAssets,
    },
  } = form
  return [
    endpoint({
      id: form.id('listAssets'),
      method: 'get',
      path: `${form.prefix}/projects/{id}/assets`,
      tag,
      summary: 'List pictures and files',
      client: 'assets.list',
      params: project,
      query: form.listQuery,
      answers: [json(200, 'The assets.', AssetList)],
      run: (request, { assets }) => form.list(request, assets),
    }),
    {
      id: form.id('uploadAsset'),
      method: 'post',
      path: `${form.prefix}/projects/{id}/assets`,
      tag,
      summary: 'Upload a picture or a file',
      client: null,
      description: [
        'The body is the file, or a form with the part `file` and the fields `alt`, `title` and `focus` (JSON).',
        'What it is follows from its bytes. Nothing is public before a page that names it, as `/media/{name}`, is published.',
        'At most 8 uploads of an account run at once; others wait for up to 10 s.',
      ].join(' '),
      params: project,
      query: UploadQuery,
      body: fileBody(UploadTexts),
      answers: [
        json(201, 'The new asset.', Asset),
        json(200, 'The project has the same bytes under this name; nothing changed.', Asset),
      ],
      errors: ['conflict', 'missing_required_field'],
    },
    endpoint({
      id: form.id('findMissingAssets'),
      method: 'post',
      path: `${form.prefix}/projects/{id}/assets/missing`,
      tag,
      summary: 'Find files that are not uploaded',
      client: 'assets.missing',
      permission: 'read',
      description: 'For clients that send only what the project does not have.',
      params: project,
      body: {
        schema: requestBody(MissingDigests, { id: `${form.schema}MissingDigests` }),
        required: true,
        example: { digests: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] },
      },
      answers: [json(200, 'The digests that no asset of the project has.', MissingAssets)],
      async run({ caller, body, param }, { assets }) {
        const missing = await assets.missing(caller, param('id'), () => readDigests(body))
        return { body: form.envelop({ missing }) }
      },
    }),
    endpoint({
      id: form.id('getAsset'),
      method: 'get',
      path: `${form.prefix}/assets/{id}`,
      tag,
      summary: 'Get an asset',
      client: 'assets.get',
      params: asset,
      answers: [json(200, 'The asset.', Asset)],
      async run({ caller, param }, { assets }) {
        return assetAnswer(await assets.get(caller, param('id')))
      },
    }),
    endpoint({
      id: form.id('updateAsset'),
      method: 'put',
      path: `${form.prefix}/assets/{id}`,
      tag,
      summary: 'Change the texts or the name of an asset',
      client: 'assets.update',
      description:
        'Fields that the body leaves out stay unchanged. Content that has the former name does not follow.',
      params: asset,
      body: {
        schema: requestBody(form.update, { id: `${form.schema}UpdateAsset`, ignored: ASSET_READ_ONLY }),
        required: true,
        example: { alt: 'Ada at her desk', focus: { x: 0.5, y: 0.3 } },
      },
      answers: [json(200, 'The updated asset.', Asset)],
      errors: ['conflict'],
      current: currentAsset,
      async run({ caller, body, param, match }, { assets }) {
        const updated = await assets.update(caller, param('id'), (stored) => {
          match(stored)
          return form.readUpdate(body)
        })
        return assetAnswer(updated)
      },
    }),
    endpoint({
      id: form.id('deleteAsset'),
      method: 'delete',
      path: `${form.prefix}/assets/{id}`,
      tag,
      summary: 'Delete an asset',
      client: 'assets.delete',
      description: 'Deletes its bytes too, except where they are published.',
      params: asset,
      query: DeleteAsset,
      answers: [json(200, 'The record was deleted.', DeletedAsset)],
      errors: ['conflict'],
      current: currentAsset,
      async run({ caller, query: { force }, param, match }, { assets }) {
        const id = await assets.remove(caller, param('id'), { force, check: match })
        return { body: form.envelop(form.presentDeleted(id)) }
      },
    }),
    {
      id: form.id('replaceAssetContent'),
      method: 'put',
      path: `${form.prefix}/assets/{id}/content`,
      tag,
      summary: 'Replace the bytes of an asset',
      client: null,
      agents: 'confirm',
      description: 'The live site does not change until its pages are published again.',
      params: asset,
      body: fileBody(null),
      answers: [json(200, 'The asset with its new bytes.', Asset)],
      errors: ['conflict', 'missing_required_field'],
      guarded: true,
    },
    {
      id: form.id('getAssetContent'),
      method: 'get',
      path: `${form.prefix}/assets/{id}/content`,
      tag,
      summary: 'Download the bytes of an asset',
      client: null,
      agents: 'none',
      description: [
        'For backups and exports, whether the asset is published or not. A picture comes without the metadata that its upload had.',
        'The `ETag` is the SHA-256 of these bytes in hex, and the `Content-Type` that of the asset.',
      ].join(' '),
      params: asset,
      answers: [fileAnswer('The file.')],
    },
    endpoint({
      id: form.id('getAssetUsage'),
      method: 'get',
      path: `${form.prefix}/assets/{id}/usage`,
      tag,
      summary: 'Find what names an asset',
      client: 'assets.usage',
      params: asset,
      answers: [json(200, 'Pages and settings that name it.', AssetUsage)],
      async run({ caller, param }, { assets }) {
        const usage = await assets.usage(caller, param('id'))
        return { body: form.envelop(form.presentUsage(usage)) }
      },
    }),
  ]

  function assetAnswer(found: AssetDetails): ApiAnswer {
    return { body: form.envelop(form.presentAsset(found)), version: found.asset.version }
  }

  function currentAsset(request: ApiRequest, ports: AssetOperationPorts): Promise<Representation> {
    return assetAsRead(form, ports.assets, request.caller, request.param('id'))
  }
}

/** Reads an asset as its GET answers it, for any caller who may change it. */
export async function assetAsRead(
  form: AssetForm,
  assets: AssetService,
  caller: Caller,
  ref: string,
): Promise<Representation> {
  const found = await assets.get({ ...caller, permissions: ['read'] }, ref)
  return { version: found.asset.version, body: form.envelop(form.presentAsset(found)) }
}
