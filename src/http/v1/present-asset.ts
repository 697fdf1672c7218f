import type { AssetId } from '../../domain/ids.ts'
import type { AssetDetails } from '../../services/media/asset-details.ts'
import type { AssetUsage } from '../../services/media/assets.ts'
import type { AssetForm } from '../asset-operations.ts'
import { ListAssets, readListAssets, readUpdateAsset, UpdateAsset } from '../asset-schemas.ts'
import { presentAssetFields, presentNamingPage } from '../present-asset.ts'
import { LEGACY_ASSET_ANSWERS } from './answers.ts'
import { enveloped, envelopedList } from './envelope.ts'

/** Assets as the legacy surface answers about them. Ids are bare. */
export const LEGACY_ASSET_FORM: AssetForm = {
  prefix: '/v1',
  id: (id) => `legacy${id.charAt(0).toUpperCase()}${id.slice(1)}`,
  schema: 'Legacy',
  tag: 'Legacy',
  answers: LEGACY_ASSET_ANSWERS,
  update: UpdateAsset,
  presentAsset,
  presentUsage: ({ pages, totalPages, settings }: AssetUsage) => ({
    pages: pages.map((page) => ({ id: page.id, ...presentNamingPage(page) })),
    total_pages: totalPages,
    settings,
  }),
  presentDeleted: (id: AssetId) => ({ id, deleted: true }),
  readUpdate: readUpdateAsset,
  envelop: enveloped,
  listQuery: ListAssets,
  async list({ caller, query, param }, assets) {
    const { filter, paging } = readListAssets(query)
    const found = await assets.list(caller, param('id'), filter, paging)
    return { body: envelopedList(found, paging.offset, presentAsset) }
  },
}

function presentAsset(details: AssetDetails) {
  const { id, projectId } = details.asset
  return { id, project_id: projectId, ...presentAssetFields(details) }
}
