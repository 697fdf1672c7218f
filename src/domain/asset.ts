import { ServiceError } from './errors.ts'
import type { AssetId, Id, ProjectId } from './ids.ts'
import type { ImageFacts, ImageFocus } from './image.ts'
import type { AssetKind, DetectedType } from './media-type.ts'
import type { VideoSize } from './video.ts'

/**
 * `processing`: variants are still being created; `ready`: nothing more will come; `failed`: no variant could be
 * created, and pages show the original.
 */
export const ASSET_STATUSES = ['processing', 'ready', 'failed'] as const
export type AssetStatus = (typeof ASSET_STATUSES)[number]

/** The original of an asset in the media store. Assets of one project with the same bytes share it. */
export type OriginalId = Id<'org'>

/** An image or a file that pages of a project may show. */
export interface Asset {
  readonly id: AssetId
  readonly projectId: ProjectId
  /** Unique in the project. Content names the asset by it: `/media/{name}`. */
  readonly name: string
  readonly originalId: OriginalId
  /** SHA-256 of the bytes as they were uploaded, hex. */
  readonly digest: string
  /** Size of the bytes as they were uploaded. */
  readonly bytes: number
  readonly kind: AssetKind
  /** The type of the bytes, whatever the name says. */
  readonly contentType: string
  /** Facts of an image; null for other assets. */
  readonly image: ImageFacts | null
  /** The size of a video; null for other assets, and where it cannot be read. */
  readonly video: VideoSize | null
  readonly alt: string
  readonly title: string
  /** The part of an image that crops keep; null is the middle. */
  readonly focus: ImageFocus | null
  readonly status: AssetStatus
  /** Why the status is `failed`; null otherwise. */
  readonly failure: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Counts changes, from 1. */
  readonly version: number
}

/** The texts that an upload gives its file. */
export interface AssetTexts {
  readonly alt: string
  readonly title: string
  readonly focus: ImageFocus | null
}

/** Texts of an upload without any. */
export const NO_TEXTS: AssetTexts = { alt: '', title: '', focus: null }

/** The texts of an asset, without the rest of it. */
export function textsOf({ alt, title, focus }: AssetTexts): AssetTexts {
  return { alt, title, focus }
}

/** The stored bytes of an upload, and what they are. */
export type AssetContent = Pick<Asset, 'originalId' | 'digest' | 'bytes' | 'image' | 'video'> & DetectedType

export function newAsset(
  content: AssetContent,
  { now, ...stated }: Pick<Asset, 'id' | 'projectId' | 'name'> & AssetTexts & { readonly now: string },
): Asset {
  return { ...withContent(content), ...stated, createdAt: now, updatedAt: now, version: 1 }
}

/** The asset with other bytes under its name. */
export function replacedContent(asset: Asset, content: AssetContent, now: string): Asset {
  return { ...asset, ...withContent(content), updatedAt: now, version: asset.version + 1 }
}

/** The asset with other texts, or another name. */
export function editedAsset(
  asset: Asset,
  edit: { readonly [K in 'name' | 'alt' | 'title' | 'focus']?: Asset[K] | undefined },
  now: string,
): Asset {
  return {
    ...asset,
    name: edit.name ?? asset.name,
    alt: edit.alt ?? asset.alt,
    title: edit.title ?? asset.title,
    focus: edit.focus === undefined ? asset.focus : edit.focus,
    updatedAt: now,
    version: asset.version + 1,
  }
}

function withContent({ originalId, digest, bytes, image, video, kind, contentType }: AssetContent) {
  const content = { originalId, digest, bytes, image, video, kind, contentType }
  return { ...content, status: 'ready', failure: null } as const
}

/** @throws {ServiceError} `conflict` that names the way to replace the bytes. */
export function refuseOtherBytes({ id, name }: Pick<Asset, 'id' | 'name'>): never {
  throw new ServiceError(
    'conflict',
    `The asset ast_${id} has the name ${JSON.stringify(name)} and other bytes. Replace them with PUT /assets/ast_${id}/content, or choose another name.`,
  )
}
