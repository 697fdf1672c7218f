import type { Storage } from '../../storage/storage.ts'
import { type BuildState, readState } from './build-state.ts'
import type { BuiltFile } from './built-page.ts'

/** The trusted part of what the previous build left. */
export interface PreviousState {
  /** Its files are those that exist as they were written. */
  readonly state: BuildState
  /** False if all pages must be rendered: after another version of Quoin, or after an aborted build. */
  readonly isWhole: boolean
  /** Every key that a build may have written, with its owner if that is known. */
  readonly own: BuildState['files']
  /** Keys of existing files that no build wrote. */
  readonly foreign: ReadonlySet<string>
  /** Digest of the stored state; null before the first build. */
  readonly digest: string | null
  /** Whether the folder is known to be as the previous build left it. */
  readonly isUnchanged: boolean
}

/** Notes of the previous build about the output folder. Valid while no name in it changes. */
export interface FolderNotes {
  /** Digest of its state. */
  readonly state: string | null
  /** Keys of files that no build wrote. */
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
