import type { VariantStatus } from '../../db/repositories/originals.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Asset } from '../../domain/asset.ts'
import { hasVariants, RECIPE_VERSION } from '../../domain/image.ts'
import { PICTURE, PICTURE_AGAIN } from '../../domain/job.ts'
import { type DerivedPicture, variantsToMake } from '../../domain/picture-variants.ts'
import type { ServiceContext } from '../context.ts'

/** A job about the original that is its subject. A `type`, so that it is JSON. */
export type PicturePayload = DerivedPicture & {
  /** SHA-256 of the upload, hex: part of the keys in the media store. */
  readonly digest: string
  /** True for an image that was uploaded while images could not be decoded: its colours are to be read. */
  readonly isUndecoded?: true
}

export const READY: VariantStatus = { status: 'ready', failure: null }
const REQUESTED: VariantStatus = { status: 'processing', failure: null }

type RequestPorts = Pick<ServiceContext, 'newId' | 'now'>
type RequestRepositories = Pick<Repositories, 'variants' | 'jobs'>
/** An original as its assets describe it. */
export type DescribedOriginal = Pick<Asset, 'originalId' | 'projectId' | 'digest' | 'image'>

/**
 * The asset with the status that its original gives it. Requests the variants of an image, once for all assets of the
 * project with the same bytes. Call it in the transaction that gives the original to the asset.
 */
export async function withVariantsRequested(
  asset: Asset,
  repositories: RequestRepositories,
  ports: RequestPorts,
): Promise<Asset> {
  if (asset.image === null || !hasVariants(asset.image)) return asset
  const known = await repositories.variants.status(asset.originalId)
  return { ...asset, ...(known ?? (await requestVariants(asset, repositories, ports))) }
}

/** Requests the variants of an original, where there can be any, and records that. Call it in a transaction. */
export async function requestVariants(
  original: DescribedOriginal,
  repositories: RequestRepositories,
  ports: RequestPorts,
): Promise<VariantStatus> {
  await repositories.variants.setRequested(original.originalId, RECIPE_VERSION)
  const isRequested = await enqueue(original, PICTURE, repositories, ports)
  const status = isRequested ? REQUESTED : READY
  await repositories.variants.setStatus(original.originalId, status)
  return status
}

/** Requests variants in place of those of an earlier recipe. Pages get the earlier ones until all are stored. */
export async function requestNewVariants(
  original: DescribedOriginal,
  repositories: RequestRepositories,
  ports: RequestPorts,
): Promise<void> {
  if (await repositories.variants.setRequested(original.originalId, RECIPE_VERSION))
    await enqueue(original, PICTURE_AGAIN, repositories, ports)
}

async function enqueue(
  { originalId, projectId, digest, image }: DescribedOriginal,
  kind: typeof PICTURE | typeof PICTURE_AGAIN,
  { jobs }: RequestRepositories,
  { newId, now }: RequestPorts,
): Promise<boolean> {
  if (image === null || !hasVariants(image)) return false
  const { width, animated, thumbhash } = image
  const payload: PicturePayload = { digest, width, animated, ...(thumbhash === null && UNDECODED) }
  await jobs.enqueue({
    id: newId<'job'>(),
    projectId,
    kind,
    subject: originalId,
    payload,
    total: variantsToMake(image).length,
    dueAt: now(),
    createdAt: now(),
  })
  return true
}

const UNDECODED = { isUndecoded: true } as const
