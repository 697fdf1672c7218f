import { type AssetId, prefixed } from '../../domain/ids.ts'
import type { AssetDetails } from '../../services/media/asset-details.ts'
import type { AssetUsage } from '../../services/media/assets.ts'
import { listMeta } from '../api.ts'
import type { AssetForm } from '../asset-operations.ts'
import { readUpdatePushedAsset, UpdatePushedAsset } from '../asset-schemas.ts'
import { list } from '../endpoint.ts'
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
  list: ({ items, total }, paging) => list(items, presentAsset, (shown) => listMeta(paging, shown, total)),
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
