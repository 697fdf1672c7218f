import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OriginalUse } from '../../db/repositories/originals.ts'
import type { Database } from '../../db/repositories.ts'
import { messageOf, ServiceError } from '../../domain/errors.ts'
import { type ProjectId, prefixed } from '../../domain/ids.ts'
import { RECIPE_VERSION } from '../../domain/image.ts'
import { originalKey } from '../../domain/original-key.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import { openPublishedCopy } from '../../publish/data-mode/published-copy.ts'
import { createSealing, type SealingPorts } from '../../publish/data-mode/seal.ts'
import type { LiveObject, LiveState } from '../../publish/ledger/live-state.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  checkMedia,
  compareMedia,
  digestOf,
  type ExpectedMedia,
  type LeftoverMedia,
  type MediaDifference,
} from './media-check.ts'
import { createVariantFiles, type VariantFilePorts } from './variant-files.ts'

export interface MediaFinding {
  readonly kind: MediaDifference['kind'] | 'orphan'
  /** Key with the prefix of the project. */
  readonly key: string
  readonly message: string
  readonly repaired: boolean
}

export interface MediaRepairPorts extends VariantFilePorts, SealingPorts {
  readonly db: Database
  readonly mediaStore: Pick<Storage, 'list' | 'open' | 'put' | 'delete'>
  readonly images: Pick<ImageProcessor, 'decodes' | 'derive'>
  readonly liveState: Pick<LiveState, 'objectsOfKinds'>
  /** Published files: copies of bytes that the media store may have lost. */
  readonly storage: Pick<Storage, 'open'>
  /** Reports whether a backup is running: it may need media without a record. */
  readonly isHeld: () => Promise<boolean>
}

/** Assets and pages that a message names. */
const NAMED = 5

/**
 * Compares a project with the media store. With `repair`, bytes come back from their published copy, and variants are
 * derived again. Removes nothing that cannot be recreated from stored bytes.
 */
export async function verifyMedia(
  projectId: ProjectId,
  ports: MediaRepairPorts,
  { repair, onRead }: { readonly repair: boolean; readonly onRead: (total: number) => void },
): Promise<readonly MediaFinding[]> {
  const { differences, leftovers, found } = await checkMedia(projectId, ports, onRead)
  if (repair)
    for (const { id } of found) await ports.db.write(({ originals }) => originals.setLost(id, false))
  const findings: MediaFinding[] = []
  // Before variants are compared again: one that a job derives meanwhile has the key of its leftover.
  for (const object of leftovers) findings.push(await settleLeftover(projectId, object, repair, ports))
  // Originals first: variants are derived from them.
  const inOrder = [...differences].sort((a, b) => Number(a.variant !== null) - Number(b.variant !== null))
  const published = repair ? await publishedCopies(projectId, inOrder, ports) : null
  for (const difference of inOrder) findings.push(await settle(projectId, difference, published, ports))
  return findings
}

/** @param published null: nothing is repaired. */
async function settle(
  projectId: ProjectId,
  difference: MediaDifference,
  published: PublishedCopies | null,
  ports: MediaRepairPorts,
): Promise<MediaFinding> {
  const { kind, key, message, original, variant } = difference
  const withUse = async (rest: string) =>
    [message, rest, await useOf(difference, ports)].filter(Boolean).join(' ')
  // Unreadable bytes may come back: the store may only be unavailable.
  if (published === null || kind === 'unreadable')
    return { kind, key, message: await withUse(''), repaired: false }
  try {
    if (await restorePublished(projectId, difference, published, ports))
      return { kind, key, message: `${message} Restored from its published copy.`, repaired: true }
    if (variant !== null) {
      const remark = await deriveAgain(projectId, difference, ports)
      return { kind, key, message: `${message} ${remark}`, repaired: true }
    }
    await ports.db.write(({ originals }) => originals.setLost(original.id, true))
    return { kind, key, message: await withUse(LOST), repaired: false }
  } catch (error) {
    return {
      kind,
      key,
      message: await withUse(`It cannot be repaired: ${messageOf(error)}`),
      repaired: false,
    }
  }
}

const LOST =
  'It is lost: nothing published has the same bytes. Upload the same file again, or restore the media store from a backup.'

/** Objects on the site by the SHA-256 of their plaintext, hex. */
type PublishedCopies = ReadonlyMap<string, readonly LiveObject[]>

async function publishedCopies(
  projectId: ProjectId,
  differences: readonly MediaDifference[],
  { liveState }: Pick<MediaRepairPorts, 'liveState'>,
): Promise<PublishedCopies> {
  const copies = new Map<string, LiveObject[]>(differences.map((difference) => [digestOf(difference), []]))
  if (copies.size === 0) return copies
  for (const object of await liveState.objectsOfKinds(projectId, ['media']))
    if (object.digest !== null) copies.get(object.digest)?.push(object)
  return copies
}

/** Copies bytes back from an object on the site that has them. False when there is none. */
async function restorePublished(
  projectId: ProjectId,
  object: ExpectedMedia,
  published: PublishedCopies,
  ports: MediaRepairPorts,
): Promise<boolean> {
  const digest = digestOf(object)
  const size = object.variant?.bytes ?? object.original.bytes
  const copies = published.get(digest)
  if (copies === undefined || copies.length === 0) return false
  const sealing = await createSealing(projectId, ports)
  for (const copy of copies) {
    const open = () => openPublishedCopy(projectId, copy, sealing, ports.storage)
    if ((await digestOfCopy(open())) !== digest) continue
    await ports.mediaStore.put({ key: object.key, body: { size, digest, open } })
    return true
  }
  return false
}

/** Returns null where a sealed copy was changed. */
async function digestOfCopy(copy: Readable): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    await pipeline(copy, hash)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** @returns a remark on what was derived. @throws {Error} with the reason why it could not be. */
async function deriveAgain(
  projectId: ProjectId,
  { key, original, variant }: ExpectedMedia,
  ports: MediaRepairPorts,
): Promise<string> {
  if (variant === null) throw new Error('An original is derived from nothing.')
  if (variant.recipe !== RECIPE_VERSION)
    throw new ServiceError('conflict', 'An earlier version made it, and pages get newer ones soon.')
  if (!(await ports.images.decodes()))
    throw new ServiceError('conflict', 'Pictures cannot be decoded on this machine: sharp is not installed.')
  const source = originalKey(projectId, original.digest, original.id)
  const files = createVariantFiles(ports)
  return files.withOriginal(source, original.storedDigest, (file) =>
    files.withVariant(projectId, file, variant, async (derived, body) => {
      await ports.mediaStore.put({ key, body })
      if (!(await ports.db.write(({ variants }) => variants.insert(original.id, derived, null))))
        await ports.mediaStore.delete([key])
      return derived.digest === variant.digest
        ? 'Derived again from its original.'
        : 'Derived again from its original, with other bytes than before: pages that show it are stale.'
    }),
  )
}

/** Describes who shows a damaged object: its assets, and the live pages. */
async function useOf({ original, variant }: ExpectedMedia, { db }: MediaRepairPorts): Promise<string> {
  const use = await db.read.originals.shownBy(original.id, NAMED)
  const assets = use.assets.map(({ id, name }) => `${prefixed('ast', id)} ${JSON.stringify(name)}`)
  const of = assets.length === 0 ? 'an asset that was deleted' : assets.join(', ')
  return `It is ${variant === null ? 'the file' : 'a smaller picture'} of ${of}, shown live by ${pagesOf(use)}.`
}

export function pagesOf({ pages, totalPages, inSite }: Omit<OriginalUse, 'assets'>): string {
  const named = pages.map(
    ({ id, subroute, slug }) => `${prefixed('page', id)} (${subroute === '' ? '' : `${subroute}/`}${slug})`,
  )
  const more = totalPages > pages.length ? [`${totalPages - pages.length} more pages`] : []
  return [...named, ...more, ...(inSite ? ['the settings of the live site'] : [])].join(', ') || 'no page'
}

/** Removes a leftover only if its bytes can be recreated from stored ones. */
async function settleLeftover(
  projectId: ProjectId,
  { key, digest, isVariant }: LeftoverMedia,
  repair: boolean,
  ports: MediaRepairPorts,
): Promise<MediaFinding> {
  const finding = (message: string, repaired = false): MediaFinding => ({
    kind: 'orphan',
    key,
    message: `The database has no record of it. ${message}`,
    repaired,
  })
  const source = digest === null ? null : await intactOriginal(projectId, digest, ports)
  if (source === null)
    return finding(
      'It may be an upload that is newer than this database, or belong to another one. Remove it by hand if nothing needs it.',
    )
  const what = isVariant ? 'A smaller picture can be made again.' : 'Another stored copy has the same bytes.'
  if (!repair) return finding(what)
  if (await ports.isHeld()) return finding('It is not removed while a backup is running.')
  await ports.mediaStore.delete([key])
  return finding(`${what} Removed.`, true)
}

async function intactOriginal(
  projectId: ProjectId,
  digest: string,
  { db, mediaStore }: MediaRepairPorts,
): Promise<ExpectedMedia | null> {
  for (const original of await db.read.originals.ofProject(projectId)) {
    if (original.digest !== digest || original.state !== 'stored') continue
    const object = { key: originalKey(projectId, digest, original.id), original, variant: null }
    if ((await compareMedia(object, mediaStore)) === null) return object
  }
  return null
}
