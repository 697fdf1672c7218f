import type { Owner } from '../../domain/artifact.ts'
import type { PageId, ReleaseId } from '../../domain/ids.ts'

/* Claims of keys: before a publish, its release claims every key to be written. */

/** Present or next owner of the object at a key. */
export interface KeyOwner extends Owner {
  /** Unfinished release with a claim on the key; null for none. */
  readonly claimedBy: ReleaseId | null
}

/** Claim of a release on a key. An existing object keeps its owner until the release is live. */
export interface KeyClaim {
  readonly key: string
  readonly owner: Owner
  readonly claimedBy: ReleaseId
}

/** A page and its claiming release. */
export interface Claimer {
  readonly pageId: PageId
  readonly releaseId: ReleaseId
}

/** A key without a free name. */
export interface KeyConflict {
  readonly key: string
  /** Id of the owning page. */
  readonly owner: string
}

/** Rows of keys with later claims of the same batch. */
export interface KeyClaims {
  /**
   * Claims one name of each key for a page, or nothing when a key has no free name. Prefers names owned by the page
   * already.
   *
   * @param keys each key as a list of possible names, best first.
   * @param isVacated reports whether another page of the batch gives up a key.
   * @returns the claimed names, or the conflict.
   */
  claim(
    claimer: Claimer,
    keys: readonly (readonly string[])[],
    isVacated?: (key: string, owner: Owner) => boolean,
  ): readonly string[] | KeyConflict
  /**
   * Claims a key for a redirect to a page, unless another owner has an object there. Call it after `claim` for all pages
   * of the batch, which take precedence.
   *
   * @param beforeLists true for a redirect named by an author, which takes precedence over lists.
   * @returns true when the key was claimed.
   */
  claimRedirect(claimer: Claimer, key: string, beforeLists: boolean): boolean
  /** Takes back the claims of a release. */
  drop(release: ReleaseId): void
  /** Claims that were not taken back. */
  all(): readonly KeyClaim[]
}

export function createKeyClaims(owners: ReadonlyMap<string, KeyOwner>): KeyClaims {
  const claims = new Map<string, KeyClaim>()

  return {
    claim(claimer, keys, isVacated = () => false) {
      const chosen: string[] = []
      for (const names of keys) {
        const name =
          names.find((one) => isOwn(claimer, one)) ?? names.find((one) => isFree(claimer, one, isVacated))
        if (name === undefined) return conflictOf(names)
        chosen.push(name)
      }
      for (const key of chosen) add(claimer, key, 'page')
      return chosen
    },

    claimRedirect(claimer, key, beforeLists) {
      const owner = ownerOf(key)
      const isOpen =
        owner === undefined ||
        ((owner.kind === 'page' || owner.kind === 'redirect') && owner.id === claimer.pageId) ||
        (beforeLists && owner.kind === 'listing')
      if (!isOpen || !isUnclaimed(claimer, owner)) return false
      add(claimer, key, 'redirect')
      return true
    },

    drop(release) {
      for (const { key, claimedBy } of [...claims.values()]) if (claimedBy === release) claims.delete(key)
    },

    all: () => [...claims.values()],
  }

  function add({ pageId, releaseId }: Claimer, key: string, kind: 'page' | 'redirect'): void {
    const { kind: ownKind, id } = ownerOf(key) ?? { kind, id: pageId }
    claims.set(key, { key, owner: { kind: ownKind, id }, claimedBy: releaseId })
  }

  function ownerOf(key: string): KeyOwner | undefined {
    const claim = claims.get(key)
    return claim === undefined ? owners.get(key) : { ...claim.owner, claimedBy: claim.claimedBy }
  }

  function isOwn({ pageId }: Claimer, key: string): boolean {
    const owner = ownerOf(key)
    return owner?.kind === 'page' && owner.id === pageId
  }

  function isFree(claimer: Claimer, key: string, isVacated: (key: string, owner: Owner) => boolean): boolean {
    const owner = ownerOf(key)
    if (owner === undefined) return true
    return (owner.kind !== 'page' || isVacated(key, owner)) && isUnclaimed(claimer, owner)
  }

  function isUnclaimed({ releaseId }: Claimer, owner: KeyOwner | undefined): boolean {
    const claimedBy = owner?.claimedBy ?? null
    return claimedBy === null || claimedBy === releaseId
  }

  function conflictOf(names: readonly string[]): KeyConflict {
    const key = names.at(-1) ?? ''
    return { key, owner: ownerOf(key)?.id ?? '' }
  }
}
