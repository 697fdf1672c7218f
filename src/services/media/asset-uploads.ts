import type { Repositories } from '../../db/repositories.ts'
import {
  type Asset,
  type AssetContent,
  type AssetTexts,
  newAsset,
  refuseOtherBytes,
  replacedContent,
} from '../../domain/asset.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { AssetId, ProjectId, UserId } from '../../domain/ids.ts'
import { IMAGE_TYPES } from '../../domain/image.ts'
import { laterOf } from '../../domain/later-of.ts'
import { detectType } from '../../domain/media-type.ts'
import type { VideoSize } from '../../domain/video.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import { readFileBody } from '../../platform/file-body.ts'
import { removeTemporary } from '../../platform/remove-temporary.ts'
import { accessAsset, accessProject, assertWritable } from '../access.ts'
import { recordAsset } from '../audit/record-asset.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import { type AssetDetails, detailsOf } from './asset-details.ts'
import { type FileBytes, type OriginalService, originalOf, type StoredUpload } from './originals.ts'
import { requestVariants, withVariantsRequested } from './picture-requests.ts'

/** An upload that has arrived whole. */
export interface ArrivedFile extends FileBytes {
  readonly head: Uint8Array
}

export interface NewUpload extends AssetTexts {
  readonly name: string
  readonly file: ArrivedFile
}

/** Owner of an upload's turn: the account of the project, whichever member uploads. */
export interface UploadTurn {
  readonly account: UserId
  readonly project: ProjectId
}

export type AssetUploadService = ReturnType<typeof createAssetUploadService>

export interface AssetUploadPorts extends Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> {
  readonly originals: OriginalService
  readonly images: Pick<ImageProcessor, 'decodes' | 'clean'>
  /** Reads the size of a video; null where it cannot be read. */
  readonly videoSize: (file: string) => Promise<VideoSize | null>
  /** Runs jobs that have become due. */
  readonly wake: () => void
}

/** Stores the bytes of assets. */
export function createAssetUploadService({
  db,
  accountLimits,
  newId,
  now,
  originals,
  images,
  videoSize,
  wake,
}: AssetUploadPorts) {
  return {
    /**
     * Checks that the caller may upload to the project, before the bytes are read.
     *
     * @param announced its name, and its length in bytes; null where unknown.
     * @throws {ServiceError} as `upload`.
     */
    async admit(
      caller: Caller,
      ref: string,
      { name, bytes }: { readonly name: string | null; readonly bytes: number | null },
    ): Promise<UploadTurn> {
      const { project } = await accessProject(db.read, caller, ref, ['write'])
      assertWritable(project)
      // The same bytes under an existing name need no room.
      const isKnown = name !== null && (await db.read.assets.findByName(project.id, name)) !== null
      if (!isKnown) await assertRoom(project.id, bytes)
      return { account: project.userId, project: project.id }
    },

    /** Does the same as `admit`, for new bytes of an asset. */
    async admitContent(caller: Caller, ref: string, bytes: number | null): Promise<UploadTurn> {
      const { home } = await accessAsset(db.read, caller, ref, ['write'])
      assertWritable(home)
      await assertRoom(home.id, bytes)
      return { account: home.userId, project: home.id }
    },

    /**
     * Creates an asset, or finds it when the project has the same bytes under the same name.
     *
     * @throws {ServiceError} `conflict` when the name has other bytes; `forbidden` when the account stores as much as
     *   it may.
     */
    async upload(
      caller: Caller,
      ref: string,
      { name, file, ...texts }: NewUpload,
    ): Promise<AssetDetails & { readonly isNew: boolean }> {
      const { project } = await accessProject(db.read, caller, ref, ['write'])
      assertWritable(project)
      const known = await db.read.assets.findByName(project.id, name)
      if (known !== null) {
        const isRestored = await restoreLost(caller, sameBytes(known, file), file)
        return { ...(await (isRestored ? reread(known.id) : detailsOf(db.read, known))), isNew: false }
      }
      const { id, isNew } = await store(project.id, file, name, ({ content, originalId, use, withRequest }) =>
        db.write(async (repositories) => {
          assertWritable((await accessProject(repositories, caller, ref, ['write'])).project)
          let isNew = false
          const id = await withIdempotency(repositories, caller, now(), async () => {
            const taken = await repositories.assets.findByName(project.id, name)
            if (taken !== null) return sameBytes(taken, file).id
            await use(repositories)
            const created = newAsset(
              { ...content, originalId },
              { ...texts, id: newId<'ast'>(), projectId: project.id, name, now: now() },
            )
            const asset = await withRequest(created, repositories)
            await repositories.assets.insert(asset)
            await recordAsset(repositories, { newId, now }, caller, {
              act: 'asset.create',
              before: null,
              after: asset,
            })
            isNew = true
            return asset.id
          })
          return { id, isNew }
        }),
      )
      return { ...(await reread(id)), isNew }
    },

    /**
     * Replaces the bytes of an asset. What is live does not change until its pages are published again.
     *
     * @param check compares the stored asset with what the client read.
     */
    async replaceContent(
      caller: Caller,
      ref: string,
      file: ArrivedFile,
      check: (asset: Asset) => void,
    ): Promise<AssetDetails> {
      const { asset: current } = await accessAsset(db.read, caller, ref, ['write'])
      check(current)
      if (current.digest === file.digest) {
        if (!(await restoreLost(caller, current, file)) && current.status === 'failed')
          await retry(caller, current)
        return reread(current.id)
      }
      const previous = await store(
        current.projectId,
        file,
        current.name,
        ({ content, originalId, use, withRequest }) =>
          db.write(async (repositories) => {
            const { asset, home } = await accessAsset(repositories, caller, ref, ['write'])
            assertWritable(home)
            check(asset)
            await use(repositories)
            const replaced = await withRequest(
              replacedContent(asset, { ...content, originalId }, laterOf(now(), asset.updatedAt)),
              repositories,
            )
            await repositories.assets.update(replaced)
            await recordAsset(repositories, { newId, now }, caller, {
              act: 'asset.replace',
              before: asset,
              after: replaced,
            })
            await repositories.originals.release(asset.originalId, now())
            return asset
          }),
      )
      await originals.discard(originalOf(previous))
      return reread(previous.id)
    },
  }

  /**
   * Stores a file, an image without its metadata, and runs `commit`.
   *
   * @throws {ServiceError} `validation_error` for an image that is damaged, or larger than images may be.
   */
  async function store<Result>(
    projectId: ProjectId,
    file: ArrivedFile,
    name: string,
    commit: (stored: {
      readonly content: Omit<AssetContent, 'originalId'>
      readonly originalId: AssetContent['originalId']
      readonly use: Parameters<Parameters<OriginalService['storeFor']>[2]>[1]
      /** The asset with its variants requested, where there can be any. */
      readonly withRequest: (asset: Asset, repositories: Repositories) => Promise<Asset>
    }) => Promise<Result>,
  ): Promise<Result> {
    const { bytes, digest, head, path } = file
    const type = detectType(head, name)
    const keep = (
      upload: StoredUpload,
      content: Omit<AssetContent, 'originalId'>,
      withRequest: Parameters<typeof commit>[0]['withRequest'] = async (asset) => asset,
    ) =>
      originals.storeFor(projectId, upload, (originalId, use) =>
        commit({ content, originalId, use, withRequest }),
      )
    if (type.kind !== 'image') {
      const video = type.kind === 'video' ? await videoSize(path) : null
      return keep({ digest, stored: file }, { ...type, bytes, digest, image: null, video })
    }

    // Beside it, where a sweep removes both.
    const cleaned = `${path}.clean`
    try {
      const image = await images.clean(path, cleaned, projectId).catch(refuseFile)
      const { size, digest: own } = await readFileBody(cleaned)
      const contentType = IMAGE_TYPES[image.format]
      const upload = { digest, stored: { path: cleaned, bytes: size, digest: own } }
      const withRequest = (await images.decodes()) ? requested : undefined
      const result = await keep(
        upload,
        { ...type, contentType, bytes, digest, image, video: null },
        withRequest,
      )
      wake()
      return result
    } finally {
      await removeTemporary(cleaned)
    }
  }

  function requested(asset: Asset, repositories: Repositories): Promise<Asset> {
    return withVariantsRequested(asset, repositories, { newId, now })
  }

  /** Stores the bytes of an asset again if the media store has lost them. False when it has not. */
  async function restoreLost(caller: Caller, asset: Asset, file: ArrivedFile): Promise<boolean> {
    if (!(await db.read.originals.isLost(asset.originalId))) return false
    await store(asset.projectId, file, asset.name, ({ content, originalId, use, withRequest }) =>
      db.write(async (repositories) => {
        const { asset: current, home } = await accessAsset(repositories, caller, asset.id, ['write'])
        assertWritable(home)
        await use(repositories)
        if (current.originalId === originalId || current.digest !== content.digest) return
        // An image may be stored as other bytes by another version of the decoder.
        const restored = await withRequest({ ...current, ...content, originalId }, repositories)
        await repositories.assets.update(restored)
        await recordAsset(repositories, { newId, now }, caller, {
          act: 'asset.restore',
          before: current,
          after: restored,
        })
        await repositories.originals.release(current.originalId, now())
      }),
    )
    return true
  }

  /** Requests the variants of an image whose bytes were sent again, if no variant could be derived before. */
  async function retry(caller: Caller, asset: Asset): Promise<void> {
    if (!(await images.decodes())) return
    await db.write(async (repositories) => {
      const known = await repositories.variants.status(asset.originalId)
      if (known?.status !== 'failed') return
      await requestVariants(asset, repositories, { newId, now })
      await recordAsset(repositories, { newId, now }, caller, {
        act: 'asset.restore',
        before: asset,
        after: asset,
      })
    })
    wake()
  }

  /** Refuses early what `storeFor` would refuse after the bytes have been read. */
  async function assertRoom(projectId: ProjectId, bytes: number | null): Promise<void> {
    const account = await db.read.accounts.ofProject(projectId)
    if (account === null) return
    await accountLimits.assertRoomFor(db.read, account, 'media_bytes', bytes ?? 0)
  }

  async function reread(id: AssetId): Promise<AssetDetails> {
    const asset = await db.read.assets.find(id)
    if (asset === null) throw new ServiceError('not_found', 'The asset was deleted meanwhile.')
    return detailsOf(db.read, asset)
  }
}

/** @throws {ServiceError} `conflict` when the asset has other bytes. */
function sameBytes(asset: Asset, { digest }: Pick<FileBytes, 'digest'>): Asset {
  return asset.digest === digest ? asset : refuseOtherBytes(asset)
}

/** Names the field of a form, or the body, that holds the image. */
function refuseFile(error: unknown): never {
  if (!(error instanceof ServiceError) || error.name !== 'validation_error') throw error
  throw fieldFailure('validation_error', [{ path: 'file', message: error.message }], { cause: error })
}
