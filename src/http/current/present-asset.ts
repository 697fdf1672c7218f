import { type AssetId, prefixed } from '../../domain/ids.ts'
import type { AssetDetails } from '../../services/media/asset-details.ts'
import type { AssetUsage } from '../../services/media/assets.ts'
import type { AssetForm } from '../asset-operations.ts'
import { readListAssets, readUpdatePushedAsset, UpdatePushedAsset, WalkAssets } from '../asset-schemas.ts'
import { changedAfter, pagingOf, walked } from '../list-walk.ts'
import { presentAssetFields, presentNamingPage } from '../present-asset.ts'
import { ASSET_ANSWERS } from './asset-answers.ts'
import { presentSource } from './present-push.ts'

/** Assets as the current surface answers about them. */
export const ASSET_FORM: AssetForm = {
  prefix: '',
  id: (id) => id,
  schema: '',
  tag: 'Media',
  answers: ASSET_ANSWERS,
  update: UpdatePushedAsset,
  presentAsset,
  presentUsage: ({ pages, totalPages, settings }: AssetUsage) => ({
    pages: pages.map((page) => ({ id: prefixed('page', page.id), ...presentNamingPage(page) })),
    total_pages: totalPages,
    settings,
  }),
  presentDeleted: (id: AssetId) => ({ id: prefixed('ast', id), deleted: true }),
  readUpdate: readUpdatePushedAsset,
  envelop: (data) => ({ data }),
  listQuery: WalkAssets,
  async list({ caller, query, param, walk }, assets) {
    const { filter, paging: first } = readListAssets(query)
    const paging = pagingOf(walk, first)
    const wanted = { ...filter, updatedAfter: changedAfter(walk) }
    const found = await assets.list(caller, param('id'), wanted, paging)
    return walked(walk, paging, found, presentAsset, { hasTail: true })
  },
}

function presentAsset(details: AssetDetails) {
  const { id, projectId } = details.asset
  return {
    id: prefixed('ast', id),
    project_id: prefixed('proj', projectId),
    ...presentAssetFields(details),
    source: presentSource(details.source),
  }
}
