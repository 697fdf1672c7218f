import type { Database, Repositories } from '../../db/repositories.ts'
import type { OriginalId } from '../../domain/asset.ts'
import { nameInLocale } from '../../domain/by-locale.ts'
import {
  type GeneratedRecipe,
  generatedKey,
  generatedSize,
  generatedText,
  iconPath,
} from '../../domain/generated-picture.ts'
import { type Snapshot, snapshotPath } from '../../domain/live-page.ts'
import { localeOf } from '../../domain/locale.ts'
import { isPicture, type MediaImage } from '../../domain/media.ts'
import { cardWords, SOCIAL_PATH, type SocialCard } from '../../domain/social-picture.ts'
import { sha256 } from '../../publish/pipeline/plan.ts'
import { iconRecipes } from '../../render/page/icon-recipes.ts'
import { socialRecipe } from '../../render/page/social-image.ts'
import { type Renderer, renderedTooLate } from '../../renderer/renderer.ts'
import type { PendingWebp } from '../media/pending-webp.ts'
import type { MadePicture, SocialOriginals, WantedPicture } from '../media/social-originals.ts'
import { type PageTextModes, type PreparedTexts, TextsMissing } from './page-texts.ts'

/** Times that a publish waits for images, in milliseconds. */
export interface PictureWaits {
  /** Wait for social images and icons to be drawn. */
  readonly drawing: number
  /** Wait for WebP in derivation: late images follow in a refresh. */
  readonly webp: number
  /** Wait for the texts of pages that include others. Without them there is no publish. */
  readonly texts: number
}

/** Waits of an awaited publish. */
export const AWAITED_WAITS: PictureWaits = { drawing: 3_000, webp: 5_000, texts: 5_000 }
export const BACKGROUND_WAITS: PictureWaits = { drawing: 20_000, webp: 5_000, texts: 60_000 }

/**
 * The snapshots with their social images and icons, where they have any. Call it in the transaction that accepts their
 * releases, with all of them at a time.
 */
export type WithPictures = (
  repositories: Repositories,
  snapshots: readonly Snapshot[],
) => Promise<readonly Snapshot[]>

/** The social images of pages that are published, and the icons of their sites. */
export interface SocialPictures {
  /**
   * Runs a transaction that accepts publishes. When images are not in the media store, it is undone, they are drawn,
   * and it runs a second time, so that no other write waits for a drawing. A page whose image is late goes live without
   * it, and is stale. The same applies to WebP in derivation, and to the texts of pages with includes.
   *
   * @param work.texts of the transaction.
   * @throws {UnavailableError} when texts are late.
   */
  accept<Result>(
    waits: PictureWaits,
    work: (repositories: Repositories, withPictures: WithPictures, texts: PreparedTexts) => Promise<Result>,
  ): Promise<Result>
  /** The snapshot that a publish now would accept. */
  planned(snapshot: Snapshot): Promise<Snapshot>
}

interface Ports {
  readonly db: Database
  readonly pendingWebp: PendingWebp
  readonly renderer: Pick<Renderer, 'cardColours'>
  readonly socialOriginals: SocialOriginals
  readonly pageTexts: Pick<PageTextModes, 'prepared'>
}

type Made = ReadonlyMap<string, MadePicture | null>

export function createSocialPictures({
  db,
  renderer,
  socialOriginals,
  pendingWebp,
  pageTexts,
}: Ports): SocialPictures {
  return {
    async accept(waits, work) {
      const texts = pageTexts.prepared()
      let webpMs = waits.webp
      const run = (made: Made | null) =>
        db.write((repositories) =>
          work(
            repositories,
            async (within, snapshots) => {
              if (webpMs > 0) await assertWebp(within, snapshots)
              return completed(within, snapshots, made, isTaken(within))
            },
            texts,
          ),
        )
      for (;;) {
        try {
          return await afterMaking(waits.drawing, run)
        } catch (error) {
          if (error instanceof WebpMissing) {
            await pendingWebp.wait(error.originals, webpMs)
            webpMs = 0
          } else if (error instanceof TextsMissing) {
            if (!texts.mayPrepare()) throw renderedTooLate()
            await texts.prepare(error, waits.texts)
          } else throw error
        }
      }
    },

    async planned(snapshot) {
      const run = async (made: Made | null) => {
        const [complete = snapshot] = await completed(db.read, [snapshot], made, async () => true)
        return complete
      }
      return afterMaking(AWAITED_WAITS.drawing, run)
    },
  }

  /** @throws {WebpMissing} when some WebP of an image is being derived. */
  async function assertWebp(repositories: Repositories, snapshots: readonly Snapshot[]): Promise<void> {
    const [first] = snapshots
    if (first === undefined) return
    const digests = new Set(
      snapshots.flatMap(({ media = {} }) =>
        Object.values(media).flatMap((file) => (isPicture(file) ? [file.digest] : [])),
      ),
    )
    if (digests.size === 0) return
    const missing = await pendingWebp.find(repositories, first.page.projectId, [...digests])
    if (missing.length > 0) throw new WebpMissing(missing)
  }

  async function afterMaking<Result>(
    waitMs: number,
    run: (made: Made | null) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await run(null)
    } catch (error) {
      if (!(error instanceof PicturesMissing)) throw error
      return run(await socialOriginals.make(error.wanted, waitMs))
    }
  }

  /**
   * @param made null before any were drawn.
   * @param take records that a release shows an image; false when it was deleted.
   * @throws {PicturesMissing} when some are to be drawn.
   */
  async function completed(
    repositories: Repositories,
    snapshots: readonly Snapshot[],
    made: Made | null,
    take: (wanted: WantedPicture, made: MadePicture) => Promise<boolean>,
  ): Promise<readonly Snapshot[]> {
    const missing = new Map<string, WantedPicture>()
    const storedOf = createStored(repositories)
    const complete: Snapshot[] = []
    const cardOf = createCards(repositories)
    for (const snapshot of snapshots) {
      let next = snapshot
      for (const wanted of await wantedOf(snapshot, cardOf)) {
        const stored = await storedOf(wanted)
        if (stored !== null) next = withPicture(next, wanted, stored)
        else if (socialOriginals.isImpossible(wanted)) continue
        else if (made === null) missing.set(wanted.digest, wanted)
        else next = await withMade(next, wanted, made.get(wanted.digest), take)
      }
      complete.push(next)
    }
    if (missing.size > 0) throw new PicturesMissing([...missing.values()])
    return complete
  }

  /** The bytes of an image in the media store, looked up once for pages that share it: all share the icons. */
  function createStored({ originals }: Repositories) {
    const known = new Map<string, Awaited<ReturnType<typeof originals.findBytes>>>()
    return async ({ projectId, digest }: WantedPicture) => {
      const found = known.get(digest) ?? (await originals.findBytes(projectId, digest))
      known.set(digest, found)
      return found
    }
  }

  /** The card of a page; null for a site without cards. */
  function createCards(repositories: Repositories) {
    let pages: number | null = null
    return async (snapshot: Snapshot): Promise<SocialCard | null> => {
      const { page, fields, settings } = snapshot
      if (settings.socialCards === 'none') return null
      pages ??= (await repositories.accounts.ofProject(page.projectId))?.usage.pages_per_project ?? 0
      const locale = localeOf({ path: snapshotPath(snapshot), fields, settings })
      const name = nameInLocale(snapshot.site.name, settings, locale)
      return { ...cardWords(page, name, pages), ...renderer.cardColours(settings) }
    }
  }

  function isTaken({ originals }: Repositories) {
    return async (wanted: WantedPicture, { id }: MadePicture) => {
      // Also when it was deleted.
      socialOriginals.forget(wanted)
      return originals.markStored(id)
    }
  }
}

/** An image that a page shows, and where its media has it. */
interface PictureOfPage extends WantedPicture {
  readonly path: string
}

/** The social image of a page, and the icons of its site. */
async function wantedOf(
  snapshot: Snapshot,
  cardOf: (snapshot: Snapshot) => Promise<SocialCard | null>,
): Promise<readonly PictureOfPage[]> {
  const { page, settings, site, media } = snapshot
  // Readers of link previews cannot read sealed pages.
  if (site.hostingMode === 'data_mode') return []
  const social = socialRecipe(page.ogImageUrl, { settings, media }, await cardOf(snapshot))
  const icons = iconRecipes(settings, media)
  const wanted: readonly (readonly [string, GeneratedRecipe])[] = [
    ...(social === null ? [] : [[SOCIAL_PATH, social] as const]),
    ...icons.map((recipe) => [iconPath(recipe.side), recipe] as const),
  ]
  return wanted.map(([path, recipe]) => ({
    path,
    projectId: page.projectId,
    recipe,
    digest: sha256(generatedText(recipe)),
  }))
}

/** @param made null for one that cannot be drawn; undefined for one that is late. */
async function withMade(
  snapshot: Snapshot,
  wanted: PictureOfPage,
  made: MadePicture | null | undefined,
  take: (wanted: WantedPicture, made: MadePicture) => Promise<boolean>,
): Promise<Snapshot> {
  if (made === null) return snapshot
  if (made !== undefined && (await take(wanted, made))) return withPicture(snapshot, wanted, made)
  return { ...snapshot, lacksPicture: true }
}

function withPicture(
  snapshot: Snapshot,
  { path, recipe, digest: name }: PictureOfPage,
  { digest, bytes }: Pick<MadePicture, 'digest' | 'bytes'>,
): Snapshot {
  const key = generatedKey(recipe, name)
  const picture: MediaImage = { key, digest, bytes, ...generatedSize(recipe), colour: null, variants: [] }
  return { ...snapshot, media: { ...snapshot.media, [path]: picture } }
}

/** Undoes a transaction. */
class WebpMissing extends Error {
  readonly originals: readonly OriginalId[]

  constructor(originals: readonly OriginalId[]) {
    super('Smaller pictures are to be derived first.')
    this.originals = originals
  }
}

/** Undoes a transaction. */
class PicturesMissing extends Error {
  readonly wanted: readonly WantedPicture[]

  constructor(wanted: readonly WantedPicture[]) {
    super('Pictures for link previews are to be drawn first.')
    this.wanted = wanted
  }
}
