import type { NamingPage } from '../db/repositories/assets.ts'
import { variantKey } from '../domain/media.ts'
import { mediaAlias } from '../domain/media-name.ts'
import { urlPath } from '../domain/route.ts'
import type { AssetDetails } from '../services/media/asset-details.ts'

/* An asset without its ids, which the surfaces of the API write in different forms. */

export function presentAssetFields({ asset, usedBy, variants }: AssetDetails) {
  const { image, video } = asset
  return {
    name: asset.name,
    kind: asset.kind,
    content_type: asset.contentType,
    bytes: asset.bytes,
    digest: asset.digest,
    width: (image ?? video)?.width ?? null,
    height: (image ?? video)?.height ?? null,
    animated: image?.animated ?? false,
    thumbhash: image?.thumbhash ?? null,
    alt: asset.alt,
    title: asset.title,
    focus: asset.focus,
    url: mediaAlias(asset.name),
    variants: variants.map(({ width, height, format, digest, bytes }) => ({
      width,
      height,
      format,
      url: `/${urlPath(variantKey(asset.name, digest, { width, format }))}`,
      bytes,
    })),
    status: asset.status,
    failure: asset.failure,
    used_by: usedBy,
    created_at: asset.createdAt,
    updated_at: asset.updatedAt,
  }
}

export function presentNamingPage({ title, subroute, slug, draft, live }: NamingPage) {
  return { title, subroute, slug, draft, live }
}
