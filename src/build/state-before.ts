import type { Owner } from '../domain/artifact.ts'
import type { Storage } from '../storage/storage.ts'
import { type BuildState, OF_STATIC, readState } from './build-state.ts'

/** What the last build left, as far as it can be trusted. */
export interface StateBefore {
  /** Its files are those that lie there as they were written. */
  readonly state: BuildState
  /** False when all has to be built anew: by another Quoin, or after a build that was broken off. */
  readonly isWhole: boolean
  /** Every key a build may have written, whatever has become of it, with its owner as far as that is known. */
  readonly own: ReadonlyMap<string, Owner>
  /** Keys of files that lie there and are nobody's known. */
  readonly foreign: ReadonlySet<string>
}

export async function stateBefore(
  out: string,
  contentKey: Uint8Array | null,
  { engine, storage }: { readonly engine: string; readonly storage: Pick<Storage, 'list'> },
): Promise<StateBefore> {
  const { state, doubtful, unread } = await readState(out, contentKey)
  const there = new Set(await storage.list(''))
  const lost = Object.keys(state.files).filter((key) => !there.has(key))
  const untrusted = new Set([...doubtful, ...lost])
  const files = Object.entries(state.files).filter(([key]) => !untrusted.has(key))
  const own = new Map([
    ...[...doubtful, ...unread].map((key) => [key, OF_STATIC] as const),
    ...Object.entries(state.files).map(([key, { owner }]) => [key, owner ?? OF_STATIC] as const),
  ])
  return {
    state: { ...state, files: Object.fromEntries(files) },
    isWhole: state.engine === engine && untrusted.size === 0,
    own,
    foreign: new Set([...there].filter((key) => !own.has(key))),
  }
}
