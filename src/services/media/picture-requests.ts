import type { Repositories, VariantStatus } from '../../db/repositories.ts'
import type { Asset } from '../../domain/asset.ts'
import { hasVariants } from '../../domain/image.ts'
import { PICTURE } from '../../domain/job.ts'
import { type DerivedPicture, variantsToMake } from '../../domain/picture-variants.ts'
import type { ServiceContext } from '../context.ts'

/** A job about the original that is its subject. A `type`, so that it is JSON. */
export type PicturePayload = DerivedPicture & {
  /** SHA-256 of the upload, hex: part of the keys in the media store. */
  readonly digest: string
}

export const READY: VariantStatus = { status: 'ready', failure: null }

/**
 * The asset with the status that its original gives it. Requests the variants of a picture, once for all assets of the
 * project with the same bytes. Call it in the transaction that gives the original to the asset.
 */
export async function withVariantsRequested(
  asset: Asset,
  { variants, jobs }: Pick<Repositories, 'variants' | 'jobs'>,
  { newId, now }: Pick<ServiceContext, 'newId' | 'now'>,
): Promise<Asset> {
  const { projectId, originalId, image, digest } = asset
  if (image === null || !hasVariants(image)) return asset
  const known = await variants.status(originalId)
  if (known !== null) return { ...asset, ...known }
  const { width, animated } = image
  const payload: PicturePayload = { digest, width, animated }
  await jobs.enqueue({
    id: newId<'job'>(),
    projectId,
    kind: PICTURE,
    subject: originalId,
    payload,
    total: variantsToMake(image).length,
    dueAt: now(),
    createdAt: now(),
  })
  const requested = { status: 'processing', failure: null } as const
  await variants.setStatus(originalId, requested)
  return { ...asset, ...requested }
}
