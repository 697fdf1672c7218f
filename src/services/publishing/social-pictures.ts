import type { Database, Repositories } from '../../db/repositories.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import type { MediaImage } from '../../domain/media.ts'
import {
  cardWords,
  SOCIAL_PATH,
  SOCIAL_SIZE,
  type SocialCard,
  socialKey,
  socialText,
} from '../../domain/social-picture.ts'
import { sha256 } from '../../publish/pipeline/plan.ts'
import { socialRecipe } from '../../render/page/social-image.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { MadePicture, SocialOriginals, WantedPicture } from '../media/social-originals.ts'

/** Time that a publish waits for pictures, where a request waits for the publish, and in the background. */
export const AWAITED_WAIT_MS = 3_000
export const BACKGROUND_WAIT_MS = 20_000

/**
 * The snapshots with their social pictures, where they have one. Call it in the transaction that accepts their releases,
 * with all of them at a time.
 */
export type WithPictures = (
  repositories: Repositories,
  snapshots: readonly Snapshot[],
) => Promise<readonly Snapshot[]>

/** The social pictures of pages that are published. */
export interface SocialPictures {
  /**
   * Runs a transaction that accepts publishes. When pictures are not in the media store, it is undone, they are drawn,
   * and it runs a second time, so that no other write waits for a drawing. A page whose picture is late goes live without
   * it, and is stale.
   */
  accept<Result>(
    waitMs: number,
    work: (repositories: Repositories, withPictures: WithPictures) => Promise<Result>,
  ): Promise<Result>
  /** The snapshot that a publish now would accept. */
  planned(snapshot: Snapshot): Promise<Snapshot>
}

interface Ports {
  readonly db: Database
  readonly renderer: Pick<Renderer, 'cardColours'>
  readonly socialOriginals: SocialOriginals
}

type Made = ReadonlyMap<string, MadePicture | null>

export function createSocialPictures({ db, renderer, socialOriginals }: Ports): SocialPictures {
  return {
    async accept(waitMs, work) {
      const run = (made: Made | null) =>
        db.write((repositories) =>
          work(repositories, (within, snapshots) => completed(within, snapshots, made, isTaken(within))),
        )
      return afterMaking(waitMs, run)
    },

    async planned(snapshot) {
      const run = async (made: Made | null) => {
        const [complete = snapshot] = await completed(db.read, [snapshot], made, async () => true)
        return complete
      }
      return afterMaking(AWAITED_WAIT_MS, run)
    },
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
   * @param made null before any were made.
   * @param take makes a picture one that a release shows; false when it is gone.
   * @throws {PicturesMissing} when some are to be made.
   */
  async function completed(
    repositories: Repositories,
    snapshots: readonly Snapshot[],
    made: Made | null,
    take: (wanted: WantedPicture, made: MadePicture) => Promise<boolean>,
  ): Promise<readonly Snapshot[]> {
    const missing: WantedPicture[] = []
    const complete: Snapshot[] = []
    const cardOf = createCards(repositories)
    for (const snapshot of snapshots) {
      const wanted = await wantedOf(snapshot, cardOf)
      const stored = wanted && (await repositories.originals.findBytes(wanted.projectId, wanted.digest))
      if (wanted === null || (stored === null && socialOriginals.isImpossible(wanted)))
        complete.push(snapshot)
      else if (stored !== null) complete.push(withPicture(snapshot, wanted, stored))
      else if (made === null) missing.push(wanted)
      else complete.push(await withMade(snapshot, wanted, made.get(wanted.digest), take))
    }
    if (missing.length > 0) throw new PicturesMissing(missing)
    return complete
  }

  /** The card of a page; null for a site without cards. */
  function createCards(repositories: Repositories) {
    let pages: number | null = null
    return async ({ page, settings, site }: Snapshot): Promise<SocialCard | null> => {
      if (settings.socialCards === 'none') return null
      pages ??= (await repositories.accounts.ofProject(page.projectId))?.usage.pages_per_project ?? 0
      return { ...cardWords(page, site.name, pages), ...renderer.cardColours(settings) }
    }
  }

  function isTaken({ originals }: Repositories) {
    return async (wanted: WantedPicture, { id }: MadePicture) => {
      // Also when it is gone.
      socialOriginals.forget(wanted)
      return originals.markStored(id)
    }
  }
}

async function wantedOf(
  snapshot: Snapshot,
  cardOf: (snapshot: Snapshot) => Promise<SocialCard | null>,
): Promise<WantedPicture | null> {
  const { page, settings, site, media } = snapshot
  // Readers of link previews cannot read sealed pages.
  if (site.hostingMode === 'data_mode') return null
  const recipe = socialRecipe(page.ogImageUrl, { settings, media }, await cardOf(snapshot))
  return recipe && { projectId: page.projectId, recipe, digest: sha256(socialText(recipe)) }
}

/** @param made null for one that cannot be made; undefined for one that is late. */
async function withMade(
  snapshot: Snapshot,
  wanted: WantedPicture,
  made: MadePicture | null | undefined,
  take: (wanted: WantedPicture, made: MadePicture) => Promise<boolean>,
): Promise<Snapshot> {
  if (made === null) return snapshot
  if (made !== undefined && (await take(wanted, made))) return withPicture(snapshot, wanted, made)
  return { ...snapshot, lacksPicture: true }
}

function withPicture(
  snapshot: Snapshot,
  { recipe, digest: name }: WantedPicture,
  { digest, bytes }: Pick<MadePicture, 'digest' | 'bytes'>,
): Snapshot {
  const key = socialKey(recipe, name)
  const picture: MediaImage = { key, digest, bytes, ...SOCIAL_SIZE, colour: null, variants: [] }
  return { ...snapshot, media: { ...snapshot.media, [SOCIAL_PATH]: picture } }
}

/** Undoes a transaction. */
class PicturesMissing extends Error {
  readonly wanted: readonly WantedPicture[]

  constructor(wanted: readonly WantedPicture[]) {
    super('Pictures for link previews are to be drawn first.')
    this.wanted = wanted
  }
}
