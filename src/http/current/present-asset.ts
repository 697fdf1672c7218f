import { prefixed } from '../../domain/ids.ts'
import type { AssetDetails, AssetUsage } from '../../services/assets.ts'
import { presentAssetFields } from '../present-asset.ts'

export function presentAsset(details: AssetDetails) {
  const { id, projectId } = details.asset
  return { id: prefixed('ast', id), project_id: prefixed('proj', projectId), ...presentAssetFields(details) }
}

export function presentAssetUsage({ pages, totalPages, settings }: AssetUsage) {
  return {
    pages: pages.map(({ id, title, subroute, slug, draft, live }) => ({
      id: prefixed('page', id),
      title,
      subroute,
      slug,
      draft,
      live,
    })),
    total_pages: totalPages,
    settings,
  }
}
