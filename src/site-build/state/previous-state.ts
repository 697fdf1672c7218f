import type { Storage } from '../../storage/storage.ts'
import { type BuildState, readState } from './build-state.ts'
import type { BuiltFile } from './built-page.ts'

/** What the last build left, as far as it can be trusted. */
export interface PreviousState {
  /** Its files are those that lie there as they were written. */
  readonly state: BuildState
  /** False when all has to be built anew: by another Quoin, or after a build that was broken off. */
  readonly isWhole: boolean
  /** Every key a build may have written, whatever has become of it, with its owner as far as that is known. */
  readonly own: BuildState['files']
  /** Keys of files that lie there and are nobody's known. */
  readonly foreign: ReadonlySet<string>
  /** Of what the last build kept; null before the first. */
  readonly digest: string | null
  /** Whether nothing in the folder is otherwise than the last build is known to have left it. */
  readonly isUnchanged: boolean
}

/** What the last build noted of the folder, in which no name has changed since. */
export interface FolderNotes {
  /** Digest of its state. */
  readonly state: string | null
  /** Keys of files that nobody built. */
  readonly foreign: readonly string[]
}

const UNKNOWN: BuiltFile = { owner: null, digest: '' }

export async function previousState(
  out: string,
  contentKey: Uint8Array | null,
  { engine, storage }: { readonly engine: string; readonly storage: Pick<Storage, 'list'> },
  left: FolderNotes | null,
): Promise<PreviousState> {
  const { state, uncertain: doubtful, unreadable: unread, digest } = await readState(out, contentKey)
  const isAsLeft = left !== null && left.state === digest && doubtful.length === 0 && state.engine === engine
  if (isAsLeft)
    return {
      state,
      isWhole: true,
      own: state.files,
      foreign: new Set(left.foreign),
      digest,
      isUnchanged: isAsLeft,
    }

  const unowned = [...doubtful, ...unread].filter((key) => !state.files.has(key))
  const own = state.files.with(unowned.map((key) => [key, UNKNOWN]))
  const there = new Set(await storage.list(''))
  const owned = new Set(own.keys())
  const lost = [...state.files.keys()].filter((key) => !there.has(key))
  const untrusted = new Set([...doubtful, ...lost])
  return {
    state: { ...state, files: state.files.with([...untrusted].map((key) => [key, null])) },
    isWhole: state.engine === engine && untrusted.size === 0,
    own,
    foreign: new Set([...there].filter((key) => !owned.has(key))),
    digest,
    isUnchanged: isAsLeft,
  }
}
