import type { Asset } from '../../domain/asset.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { originalKey } from '../../domain/original-key.ts'
import type { OpenObject, Storage } from '../../storage/storage.ts'
import { accessAsset } from '../access.ts'
import type { ServiceContext } from '../context.ts'

/** The stored bytes of an asset, which are not public. */
export interface StoredContent {
  readonly asset: Asset
  /** SHA-256 of the stored bytes, hex: those of an image are without its metadata. */
  readonly digest: string
  readonly object: OpenObject
}

export interface AssetContentPorts extends Pick<ServiceContext, 'db'> {
  readonly mediaStore: Pick<Storage, 'open'>
}

/** Attempts to open bytes that are not being replaced meanwhile. */
const ATTEMPTS = 3

/** Opens the stored bytes of an asset for those who may read its project. */
export function createOpenContent({ db, mediaStore }: AssetContentPorts) {
  /** @throws {ServiceError} as `accessAsset`; `internal_error` when the media store has lost the bytes. */
  return async (caller: Caller, ref: string): Promise<StoredContent> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { asset } = await accessAsset(db.read, caller, ref, ['read'])
      const { projectId, digest, originalId } = asset
      const stored = await db.read.variants.storedDigest(originalId)
      // The bytes are being replaced, or belong to an image of an older version, with its metadata.
      if (stored === null && attempt < ATTEMPTS) continue
      const object = await mediaStore.open(originalKey(projectId, digest, originalId))
      if (object !== null) return { asset, digest: stored ?? digest, object }
      // From here on an upload of the same bytes restores them.
      if (stored !== null) await db.write(({ originals }) => originals.setLost(originalId, true))
    }
    throw new ServiceError(
      'internal_error',
      'The bytes of this asset are missing in the media store. Upload the same file again, or let the operator restore the media store from a backup.',
    )
  }
}
