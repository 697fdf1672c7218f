import type { RedirectId } from '../../domain/ids.ts'
import type { ReleaseFailure } from '../../domain/release.ts'
import { MAX_SITE_REDIRECTS, type RedirectChange, TOO_MANY_REDIRECTS } from '../../domain/site-redirect.ts'
import { foldedAddress } from '../../domain/slug.ts'

/** Part of a redirect that changes of others depend on. */
export interface KnownRedirect {
  readonly id: RedirectId
  readonly path: string
  /** Result of `foldedAddress`; unique in a project. */
  readonly address: string
}

/** Redirects of a project with later changes of the same batch. */
export interface RedirectTable {
  /** Makes a change, or returns the conflict with another one made since its acceptance. */
  change(change: RedirectChange): ReleaseFailure | null
}

export function createRedirectTable(known: readonly KnownRedirect[]): RedirectTable {
  const byId = new Map(known.map((redirect) => [redirect.id, redirect]))
  const byAddress = new Map(known.map((redirect) => [redirect.address, redirect]))

  return {
    change({ put, remove }) {
      const added = put.map(
        ({ id, from }): KnownRedirect => ({ id, path: from, address: foldedAddress(from) }),
      )
      const removed = new Set(remove)
      for (const { id, address } of added) {
        const other = byAddress.get(address)
        if (other !== undefined && other.id !== id && !removed.has(other.id)) return changedMeanwhile(other)
      }
      const isNew = ({ id }: KnownRedirect) => !byId.has(id) || removed.has(id)
      const left = byId.size - [...removed].filter((id) => byId.has(id)).length
      if (left + added.filter(isNew).length > MAX_SITE_REDIRECTS) return TOO_MANY
      for (const id of removed) drop(id)
      for (const redirect of added) {
        drop(redirect.id)
        byId.set(redirect.id, redirect)
        byAddress.set(redirect.address, redirect)
      }
      return null
    },
  }

  function drop(id: RedirectId): void {
    const former = byId.get(id)
    if (former === undefined) return
    byId.delete(id)
    if (byAddress.get(former.address)?.id === id) byAddress.delete(former.address)
  }
}

function changedMeanwhile({ path }: KnownRedirect): ReleaseFailure {
  return { name: 'conflict', message: `Another request has changed the redirect from ${path} meanwhile.` }
}

const TOO_MANY: ReleaseFailure = { name: 'conflict', message: TOO_MANY_REDIRECTS }
