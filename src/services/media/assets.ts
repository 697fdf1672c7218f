import type { AssetFilter, AssetSort, NamingPage } from '../../db/repositories/assets.ts'
import type { Repositories } from '../../db/repositories.ts'
import { type Asset, editedAsset } from '../../domain/asset.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type AssetId, prefixed } from '../../domain/ids.ts'
import { laterOf } from '../../domain/later-of.ts'
import { mediaNames } from '../../domain/media-names.ts'
import type { Listed, Paging } from '../../domain/paging.ts'
import type { SourceFile } from '../../domain/source.ts'
import type { Storage } from '../../storage/storage.ts'
import { accessAsset, accessProject, assertWritable } from '../access.ts'
import { recordAsset } from '../audit/record-asset.ts'
import type { ServiceContext } from '../context.ts'
import { recordAssetSource } from '../pushes/record-source.ts'
import { createOpenContent } from './asset-content.ts'
import { type AssetDetails, detailsAmong, detailsOf, settingsNaming } from './asset-details.ts'
import { type OriginalService, originalOf } from './originals.ts'

/** Pages that an answer about usage, or a rejection, lists. */
const LISTED_PAGES = 100
const NAMED_PAGES = 5

export interface AssetUsage {
  readonly asset: Asset
  /** The first pages, at most `LISTED_PAGES`. */
  readonly pages: readonly NamingPage[]
  readonly totalPages: number
  /** Wire names of the settings that name it, now or as they are live. */
  readonly settings: readonly string[]
}

/** Changes of an asset that a request asks for. */
export type AssetChange = Parameters<typeof editedAsset>[1] & {
  /** The file that its bytes come from. A change of it alone changes nothing else. */
  readonly source?: (SourceFile & { readonly created?: boolean | undefined }) | null | undefined
}

export type AssetService = ReturnType<typeof createAssetService>

export interface AssetPorts extends Pick<ServiceContext, 'db' | 'newId' | 'now'> {
  readonly originals: Pick<OriginalService, 'discard'>
  readonly mediaStore: Pick<Storage, 'open'>
}

export function createAssetService({ db, newId, now, originals, mediaStore }: AssetPorts) {
  return {
    /** Opens the stored bytes, which are not public. */
    content: createOpenContent({ db, mediaStore }),

    async get(caller: Caller, ref: string): Promise<AssetDetails> {
      const { asset } = await accessAsset(db.read, caller, ref, ['read'])
      return detailsOf(db.read, asset)
    },

    /** Returns the names of these assets, without assets of other projects and deleted ones. */
    async names(caller: Caller, ref: string, ids: readonly AssetId[]): Promise<ReadonlyMap<AssetId, string>> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.assets.namesWithin(project.id, ids)
    },

    async list(
      caller: Caller,
      ref: string,
      filter: Pick<AssetFilter, 'kind' | 'name' | 'updatedAfter'> & { readonly unused: boolean },
      paging: Paging<AssetSort>,
    ): Promise<Listed<AssetDetails>> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      const bySettings = await settingsNaming(db.read, project.id)
      const found = await db.read.assets.list(
        {
          projectId: project.id,
          kind: filter.kind,
          name: filter.name,
          unusedBut: filter.unused ? [...bySettings.keys()] : null,
          updatedAfter: filter.updatedAfter ?? null,
        },
        paging,
      )
      const detailsOf = await detailsAmong(db.read, project.id, found.items, bySettings)
      return { ...found, items: found.items.map(detailsOf) }
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
      readEdit: (asset: Asset) => AssetChange,
    ): Promise<AssetDetails> {
      const edited = await db.write(async (repositories) => {
        const { asset, home } = await accessAsset(repositories, caller, ref, ['write'])
        assertWritable(home)
        const { source = null, ...edit } = readEdit(asset)
        if (source !== null) await recordAssetSource(repositories, asset, source, now())
        if (source !== null && Object.values(edit).every((value) => value === undefined)) return asset
        const edited = editedAsset(asset, edit, laterOf(now(), asset.updatedAt))
        await repositories.assets.update(edited)
        await recordAsset(repositories, { newId, now }, caller, {
          act: 'asset.update',
          before: asset,
          after: edited,
        })
        return edited
      })
      return detailsOf(db.read, edited)
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
        await recordAsset(repositories, { newId, now }, caller, {
          act: 'asset.delete',
          before: asset,
          after: null,
        })
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
        totalPages: (await db.read.assets.pagesNaming(projectId, [name])).get(name) ?? 0,
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
}

/** @throws {ServiceError} `conflict` that names the live pages. */
async function refuseShown({ assets }: Repositories, { projectId, name }: Asset): Promise<void> {
  const naming = (await assets.usage(projectId, name, LISTED_PAGES)).filter(({ live }) => live)
  const settings = (await assets.liveSettings(projectId)).filter((live) =>
    mediaNames(Object.values(live.settings)).includes(name),
  )
  const inSettings = settings.some(({ isSite }) => isSite)
  // All pages of the site show what its settings name. Only pages published with former settings are listed.
  const former = settings.filter(({ isSite }) => !isSite).map(({ digest }) => digest)
  const showing = former.length === 0 ? [] : await assets.pagesWithSettings(projectId, former, LISTED_PAGES)
  const pages = [...new Map([...naming, ...showing].map((page) => [page.id, page])).values()]
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
