import type { z } from 'zod'
import { idParam } from './answer-fields.ts'
import type { AssetAnswers } from './asset-answers.ts'
import {
  ASSET_READ_ONLY,
  DeleteAsset,
  ListAssets,
  MissingDigests,
  UploadQuery,
  UploadTexts,
} from './asset-schemas.ts'
import { requestBody } from './openapi/body.ts'
import { fileAnswer, fileBody } from './openapi/file-body.ts'
import { json, type Operation } from './openapi/operation.ts'

const project = idParam('proj')
const asset = idParam('ast')

/**
 * Descriptions of the operations on pictures and files, which `asset-routes.ts` implements.
 *
 * @param named how a surface names them: the prefixes of paths, of ids of operations and of schemas.
 */
export function assetOperations(
  {
    asset: Asset,
    list: AssetList,
    usage: AssetUsage,
    deleted: DeletedAsset,
    missing: MissingAssets,
  }: AssetAnswers,
  named: {
    readonly prefix: string
    readonly id: (id: string) => string
    readonly schema: string
    readonly tag: string
    /** The body of an update. */
    readonly update: z.ZodObject
  },
): readonly Operation[] {
  const { tag } = named
  return [
    {
      id: named.id('listAssets'),
      method: 'get',
      path: `${named.prefix}/projects/{id}/assets`,
      tag,
      summary: 'List pictures and files',
      params: project,
      query: ListAssets,
      answers: [json(200, 'The assets.', AssetList)],
    },
    {
      id: named.id('uploadAsset'),
      method: 'post',
      path: `${named.prefix}/projects/{id}/assets`,
      tag,
      summary: 'Upload a picture or a file',
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
    {
      id: named.id('findMissingAssets'),
      method: 'post',
      path: `${named.prefix}/projects/{id}/assets/missing`,
      tag,
      summary: 'Find files that are not uploaded',
      description: 'For clients that send only what the project does not have.',
      params: project,
      body: {
        schema: requestBody(MissingDigests, { id: `${named.schema}MissingDigests` }),
        required: true,
        example: { digests: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] },
      },
      answers: [json(200, 'The digests that no asset of the project has.', MissingAssets)],
    },
    {
      id: named.id('getAsset'),
      method: 'get',
      path: `${named.prefix}/assets/{id}`,
      tag,
      summary: 'Get an asset',
      params: asset,
      answers: [json(200, 'The asset.', Asset)],
    },
    {
      id: named.id('updateAsset'),
      method: 'put',
      path: `${named.prefix}/assets/{id}`,
      tag,
      summary: 'Change the texts or the name of an asset',
      description:
        'Fields that the body leaves out stay unchanged. Content that has the former name does not follow.',
      params: asset,
      body: {
        schema: requestBody(named.update, { id: `${named.schema}UpdateAsset`, ignored: ASSET_READ_ONLY }),
        required: true,
        example: { alt: 'Ada at her desk', focus: { x: 0.5, y: 0.3 } },
      },
      answers: [json(200, 'The updated asset.', Asset)],
      errors: ['conflict'],
      guarded: true,
    },
    {
      id: named.id('deleteAsset'),
      method: 'delete',
      path: `${named.prefix}/assets/{id}`,
      tag,
      summary: 'Delete an asset',
      description: 'Deletes its bytes too, except where they are published.',
      params: asset,
      query: DeleteAsset,
      answers: [json(200, 'The record was deleted.', DeletedAsset)],
      errors: ['conflict'],
      guarded: true,
    },
    {
      id: named.id('replaceAssetContent'),
      method: 'put',
      path: `${named.prefix}/assets/{id}/content`,
      tag,
      summary: 'Replace the bytes of an asset',
      description: 'The live site does not change until its pages are published again.',
      params: asset,
      body: fileBody(null),
      answers: [json(200, 'The asset with its new bytes.', Asset)],
      errors: ['conflict', 'missing_required_field'],
      guarded: true,
    },
    {
      id: named.id('getAssetContent'),
      method: 'get',
      path: `${named.prefix}/assets/{id}/content`,
      tag,
      summary: 'Download the bytes of an asset',
      description: [
        'For backups and exports, whether the asset is published or not. A picture comes without the metadata that its upload had.',
        'The `ETag` is the SHA-256 of these bytes in hex, and the `Content-Type` that of the asset.',
      ].join(' '),
      params: asset,
      answers: [fileAnswer('The file.')],
    },
    {
      id: named.id('getAssetUsage'),
      method: 'get',
      path: `${named.prefix}/assets/{id}/usage`,
      tag,
      summary: 'Find what names an asset',
      params: asset,
      answers: [json(200, 'Pages and settings that name it.', AssetUsage)],
    },
  ]
}
