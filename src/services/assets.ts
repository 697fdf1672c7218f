import { rm } from 'node:fs/promises'
import type { AssetFilter, AssetSort, Listed, NamingPage, Paging, Repositories } from '../db/repositories.ts'
import {
  type Asset,
  type AssetContent,
  type AssetTexts,
  editedAsset,
  newAsset,
  refuseOtherBytes,
  replacedContent,
} from '../domain/asset.ts'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import { type AssetId, type ProjectId, prefixed } from '../domain/ids.ts'
import { IMAGE_TYPES } from '../domain/image.ts'
import { laterOf } from '../domain/later-of.ts'
import { mediaNames } from '../domain/media-names.ts'
import { detectType } from '../domain/media-type.ts'
import type { StoredVariant } from '../domain/picture-variants.ts'
import type { Settings } from '../domain/settings.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../fields/settings-fields.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import { readFileBody } from '../platform/file-body.ts'
import { accessAsset, accessProject, assertWritable } from './access.ts'
import type { ServiceContext } from './context.ts'
import { withIdempotency } from './idempotency.ts'
import type { FileBytes, OriginalService, StoredUpload } from './originals.ts'
import { withVariantsRequested } from './picture-requests.ts'

/** Pages that an answer about usage, or a refusal, lists. */
const LISTED_PAGES = 100
const NAMED_PAGES = 5

export interface AssetDetails {
  readonly asset: Asset
  /** Pages, live or not, and settings fields that name it. */
  readonly usedBy: number
  /** By format, then width. */
  readonly variants: readonly StoredVariant[]
}

export interface AssetUsage {
  readonly asset: Asset
  /** At most `LISTED_PAGES`. */
  readonly pages: readonly NamingPage[]
  readonly totalPages: number
  /** Wire names of the settings that name it, now or as they are live. */
  readonly settings: readonly string[]
}

/** An upload that has arrived whole. */
export interface ArrivedFile extends FileBytes {
  /** Its first bytes. */
  readonly head: Uint8Array
}

export interface NewUpload extends AssetTexts {
  readonly name: string
  readonly file: ArrivedFile
}

export type AssetService = ReturnType<typeof createAssetService>

export interface AssetPorts extends Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> {
  readonly originals: OriginalService
  readonly images: Pick<ImageProcessor, 'decodes' | 'clean'>
  /** Runs jobs that have become due. */
  readonly wake: () => void
}

export function createAssetService({ db, accountLimits, newId, now, originals, images, wake }: AssetPorts) {
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
    ): Promise<ProjectId> {
      const { project } = await accessProject(db.read, caller, ref, ['write'])
      assertWritable(project)
      // The same bytes under a known name need no room.
      const isKnown = name !== null && (await db.read.assets.findByName(project.id, name)) !== null
      if (!isKnown) await assertRoom(project.id, bytes)
      return project.id
    },

    /** As `admit`, for bytes that replace those of an asset. */
    async admitContent(caller: Caller, ref: string, bytes: number | null): Promise<ProjectId> {
      const { home } = await accessAsset(db.read, caller, ref, ['write'])
      assertWritable(home)
      await assertRoom(home.id, bytes)
      return home.id
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
      if (known !== null) return { ...(await detailsOf(db.read, sameBytes(known, file))), isNew: false }
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
      if (current.digest === file.digest) return detailsOf(db.read, current)
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
            await repositories.originals.release(asset.originalId, now())
            return asset
          }),
      )
      await originals.discard(originalOf(previous))
      return reread(previous.id)
    },

    async get(caller: Caller, ref: string): Promise<AssetDetails> {
      const { asset } = await accessAsset(db.read, caller, ref, ['read'])
      return detailsOf(db.read, asset)
    },

    async list(
      caller: Caller,
      ref: string,
      filter: Pick<AssetFilter, 'kind' | 'name'> & { readonly unused: boolean },
      paging: Paging<AssetSort>,
    ): Promise<Listed<AssetDetails>> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      const bySettings = await settingsNaming(db.read, project.id)
      const { items, total } = await db.read.assets.list(
        {
          projectId: project.id,
          kind: filter.kind,
          name: filter.name,
          unusedBut: filter.unused ? [...bySettings.keys()] : null,
        },
        paging,
      )
      const details: AssetDetails[] = []
      for (const asset of items) details.push(await countUses(db.read, asset, bySettings))
      return { items: details, total }
    },

    /**
     * Changes the texts of an asset, or its name.
     *
     * @param readEdit reads the body and compares the stored asset with what the client read.
     * @throws {ServiceError} `conflict` when the name is taken.
     */
    async update(
      caller: Caller,
      ref: string,
      readEdit: (asset: Asset) => Parameters<typeof editedAsset>[1],
    ): Promise<AssetDetails> {
      return db.write(async (repositories) => {
        const { asset, home } = await accessAsset(repositories, caller, ref, ['write'])
        assertWritable(home)
        const edited = editedAsset(asset, readEdit(asset), laterOf(now(), asset.updatedAt))
        await repositories.assets.update(edited)
        return detailsOf(repositories, edited)
      })
    },

    /**
     * Deletes an asset and its bytes. Live pages keep showing what they were published with.
     *
     * @throws {ServiceError} `conflict` when a live page shows it, unless `force`.
     */
    async remove(
      caller: Caller,
      ref: string,
      { force, check }: { readonly force: boolean; readonly check: (asset: Asset) => void },
    ): Promise<AssetId> {
      const removed = await db.write(async (repositories) => {
        const { asset, home } = await accessAsset(repositories, caller, ref, ['write'])
        assertWritable(home)
        check(asset)
        if (!force) await refuseShown(repositories, asset)
        await repositories.assets.delete(asset.id)
        await repositories.originals.release(asset.originalId, now())
        return asset
      })
      await originals.discard(originalOf(removed))
      return removed.id
    },

    async usage(caller: Caller, ref: string): Promise<AssetUsage> {
      const { asset } = await accessAsset(db.read, caller, ref, ['read'])
      const { projectId, name } = asset
      return {
        asset,
        pages: await db.read.assets.usage(projectId, name, LISTED_PAGES),
        totalPages: await db.read.assets.pagesNaming(projectId, name),
        settings: [...((await settingsNaming(db.read, projectId)).get(name) ?? [])],
      }
    },

    /** The digests among these that no asset of the project has, in the same order, each once. */
    async missing(
      caller: Caller,
      ref: string,
      readDigests: () => readonly string[],
    ): Promise<readonly string[]> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      const digests = readDigests()
      const stored = await db.read.assets.storedDigests(project.id, digests)
      return [...new Set(digests)].filter((digest) => !stored.has(digest))
    },
  }

  /**
   * Stores a file, a picture without its metadata, and runs `commit`.
   *
   * @throws {ServiceError} `validation_error` for a picture that is damaged, or larger than pictures may be.
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
    if (type.kind !== 'image') return keep({ digest, stored: file }, { ...type, bytes, digest, image: null })

    // Beside it, where a sweep removes both.
    const cleaned = `${path}.clean`
    try {
      const image = await images.clean(path, cleaned).catch(refuseFile)
      const { size, digest: own } = await readFileBody(cleaned)
      const contentType = IMAGE_TYPES[image.format]
      const upload = { digest, stored: { path: cleaned, bytes: size, digest: own } }
      const withRequest = (await images.decodes()) ? requested : undefined
      const result = await keep(upload, { ...type, contentType, bytes, digest, image }, withRequest)
      wake()
      return result
    } finally {
      await rm(cleaned, { force: true })
    }
  }

  function requested(asset: Asset, repositories: Repositories): Promise<Asset> {
    return withVariantsRequested(asset, repositories, { newId, now })
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

async function detailsOf(repositories: Repositories, asset: Asset): Promise<AssetDetails> {
  return countUses(repositories, asset, await settingsNaming(repositories, asset.projectId))
}

async function countUses(
  { assets, variants }: Repositories,
  asset: Asset,
  bySettings: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<AssetDetails> {
  const pages = await assets.pagesNaming(asset.projectId, asset.name)
  return {
    asset,
    usedBy: pages + (bySettings.get(asset.name)?.size ?? 0),
    variants: (await variants.of([asset.originalId])).get(asset.originalId) ?? [],
  }
}

/** The settings that name an asset, now or as they are live: wire names by the asset's name. */
async function settingsNaming(
  { assets, settings }: Repositories,
  projectId: ProjectId,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const naming = new Map<string, Set<string>>()
  const current = await settings.find(projectId)
  collectNames(current.settings, naming)
  const live = await assets.liveSettings(projectId)
  if (live !== null) collectNames(live, naming)
  return naming
}

function collectNames(settings: Settings, naming: Map<string, Set<string>>): void {
  for (const key of Object.keys(SETTINGS_FIELDS) as SettingKey[])
    for (const name of mediaNames([settings[key]])) {
      const fields = naming.get(name) ?? new Set<string>()
      fields.add(SETTINGS_FIELDS[key].name)
      naming.set(name, fields)
    }
}

/** @throws {ServiceError} `conflict` that names the live pages. */
async function refuseShown({ assets }: Repositories, { projectId, name }: Asset): Promise<void> {
  const pages = (await assets.usage(projectId, name, LISTED_PAGES)).filter(({ live }) => live)
  const settings = await assets.liveSettings(projectId)
  const inSettings = settings !== null && mediaNames(Object.values(settings)).includes(name)
  if (pages.length === 0 && !inSettings) return
  const named = pages
    .slice(0, NAMED_PAGES)
    .map(
      ({ id, subroute, slug }) => `${prefixed('page', id)} (${subroute === '' ? '' : `${subroute}/`}${slug})`,
    )
  const more = pages.length > NAMED_PAGES ? [`${pages.length - NAMED_PAGES} more`] : []
  const shown = [...named, ...more, ...(inSettings ? ['the settings of the live site'] : [])]
  throw new ServiceError(
    'conflict',
    `${JSON.stringify(name)} is shown live by ${shown.join(', ')}. Publish these pages without it first, or delete it with force=true.`,
  )
}

/** @throws {ServiceError} `conflict` when the asset has other bytes. */
function sameBytes(asset: Asset, { digest }: Pick<FileBytes, 'digest'>): Asset {
  return asset.digest === digest ? asset : refuseOtherBytes(asset)
}

/** Names the field of a form, or the body, that holds the picture. */
function refuseFile(error: unknown): never {
  if (!(error instanceof ServiceError) || error.name !== 'validation_error') throw error
  throw fieldFailure('validation_error', [{ path: 'file', message: error.message }], { cause: error })
}

function originalOf({ originalId: id, projectId, digest, bytes }: Asset) {
  return { id, projectId, digest, bytes }
}
