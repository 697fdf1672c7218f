import { type AssetId, prefixed } from '../../domain/ids.ts'
import type { AssetDetails } from '../../services/media/asset-details.ts'
import type { AssetUsage } from '../../services/media/assets.ts'
import { listMeta } from '../api.ts'
import type { AssetForm } from '../asset-routes.ts'
import { readUpdatePushedAsset } from '../asset-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { presentAssetFields, presentNamingPage } from '../present-asset.ts'
import { presentSource } from './present-push.ts'

/** Assets as the current surface answers about them. */
export const ASSET_FORM: AssetForm = {
  prefix: '',
  presentAsset,
  presentUsage: ({ pages, totalPages, settings }: AssetUsage) => ({
    pages: pages.map((page) => ({ id: prefixed('page', page.id), ...presentNamingPage(page) })),
    total_pages: totalPages,
    settings,
  }),
  presentDeleted: (id: AssetId) => ({ id: prefixed('ast', id), deleted: true }),
  readUpdate: readUpdatePushedAsset,
  envelop: (data) => ({ data }),
  answerWithList: (ctx, { items, total }, paging) =>
    answerWithList(ctx, items, presentAsset, (shown) => listMeta(paging, shown, total)),
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
